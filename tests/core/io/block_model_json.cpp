// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <harness/folder.hpp>
#include <harness/refusal.hpp>

#include <sporos/core/io/block_model_json.hpp>
#include <sporos/core/io/known_block_model.hpp>
#include <sporos/core/random/philox.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace block_model_json_tests {

using namespace sporos;
using io::BlockModelKey;

// Sets an environment variable, or unsets it if `value` is empty. The destructor restores it.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : m_name(name) {
    if (const char* const old = std::getenv(name)) m_old = old;
    value.empty() ? ::unsetenv(name) : ::setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { m_old ? ::setenv(m_name, m_old->c_str(), 1) : ::unsetenv(m_name); }

 private:
  const char* m_name;
  std::optional<std::string> m_old;
};

const BlockModelKey key{"ACME 9000 (tm)", "cuda", "ranlux24-2", 16};

BlockModel some_model() {
  BlockModel model;
  model.kernel = {1.5e-6, 1 / 3.0 * 1e-5, 4096};
  model.transfer = {1e-5, 1.6e-10};
  model.first_use = {2e-6, 3e-10};
  model.startup = 1e-3;
  model.beginning = 2e-4;
  model.handover = 5e-6;
  model.taking = 3e-9;
  model.processors = 16;
  model.on_host = false;
  model.unit = 4096;
  model.has_lanes = true;
  model.shared = {{1e-6, 2e-10}, {3e-6, 4e-10}, 5e-11, 1 << 25};
  return model;
}

TEST(BlockModelJson, ReadsBackAsTheSameBits) {
  const test::Folder folder;
  const BlockModel model = some_model();
  io::save_block_model(folder / "a.json", model, key);
  const BlockModel found = io::load_block_model(folder / "a.json", key);
  EXPECT_EQ(io::json_of(found, key).dump(), io::json_of(model, key).dump());
  EXPECT_EQ(found.kernel.step, model.kernel.step);
  EXPECT_EQ(found.processors, 16);
  EXPECT_TRUE(found.has_lanes);
  EXPECT_EQ(found.shared.first_use.each, 4e-10);
  EXPECT_EQ(folder.files(), std::vector<std::string>{"a.json"});
}

TEST(BlockModelJson, IsRefusedWhereItIsForeignOrDamaged) {
  const auto refused = [](auto change) {
    io::Json json = io::json_of(some_model(), key);
    change(json);
    return test::refusal([&] { io::block_model_of_json(json, "a.json", key); });
  };
  EXPECT_EQ(refused([](io::Json&) {}), "none");
  EXPECT_EQ(refused([](io::Json& json) { json["machine"] = "another"; }),
            "a.json is for another machine: '\"another\"', expected '\"ACME 9000 (tm)\"'");
  EXPECT_EQ(refused([](io::Json& json) { json["engine"] = "philox"; }),
            "a.json is for another engine: '\"philox\"', expected '\"ranlux24-2\"'");
  EXPECT_EQ(refused([](io::Json& json) { json["processors"] = 8; }),
            "a.json is for another number of processors: '8', expected '16'");
  EXPECT_EQ(refused([](io::Json& json) { json["block_model"] = 1; }),
            "a.json is for another version: '1', expected '2'");
  EXPECT_EQ(refused([](io::Json& json) { json["shared"].erase("draw"); }), "a.json: shared has no member 'draw'");
  EXPECT_EQ(refused([](io::Json& json) { json.erase("block_model"); }), "a.json has no member 'block_model'");
  EXPECT_EQ(refused([](io::Json& json) { json["kernel"].erase("width"); }), "a.json: kernel has no member 'width'");
  EXPECT_EQ(refused([](io::Json& json) { json["handover"] = "slow"; }),
            "a.json: handover is '\"slow\"', expected a number");
  EXPECT_EQ(refused([](io::Json& json) { json["handover"] = -1; }),
            "a.json: time to hand over a block is -1.000000, expected a finite number of seconds, at least 0");
  EXPECT_EQ(refused([](io::Json& json) { json = 3; }), "a.json has no member 'block_model'");

  const test::Folder folder;
  const std::string half = folder.write("half.json", "{\"block_model\": 2, ");
  EXPECT_EQ(test::refusal([&] { io::load_block_model(half, key); }), half + " is not JSON: error at line 1, column 20");
  EXPECT_EQ(test::refusal([&] { io::load_block_model("/nowhere.json", key); }),
            "cannot read '/nowhere.json': No such file or directory");
}

TEST(CacheFolder, IsWhereTheUserHasIt) {
  const Variable own("SPOROS_CACHE", ""), xdg("XDG_CACHE_HOME", ""), home("HOME", "/home/ada");
  EXPECT_EQ(io::cache_folder(), "/home/ada/.cache/sporos");
  EXPECT_EQ(io::block_model_path(key), "/home/ada/.cache/sporos/blocks-cuda-ranlux24-2-16-ACME_9000__tm_.json");
  {
    const Variable relative("XDG_CACHE_HOME", "cache");  // the XDG specification says to ignore relative paths
    EXPECT_EQ(io::cache_folder(), "/home/ada/.cache/sporos");
  }
  const Variable absolute("XDG_CACHE_HOME", "/var/ada");
  EXPECT_EQ(io::cache_folder(), "/var/ada/sporos");
  const Variable first("SPOROS_CACHE", "/tmp/here");
  EXPECT_EQ(io::cache_folder(), "/tmp/here");
}

TEST(CacheFolder, IsMissedInOneSentence) {
  const Variable own("SPOROS_CACHE", ""), xdg("XDG_CACHE_HOME", ""), home("HOME", "");
  EXPECT_EQ(test::refusal([] { io::cache_folder(); }),
            "there is no folder for measured costs: set HOME, XDG_CACHE_HOME or SPOROS_CACHE");
}

using Space = Kokkos::DefaultHostExecutionSpace;

// A model that is measured quickly. Other tests check how accurate measurements are.
io::KnownBlockModel known() {
  return io::known_block_model<Space, Philox4x32>("philox", {.largest_block = 1 << 14, .rounds = 1});
}

TEST(KnownBlockModel, IsMeasuredOnceAndKept) {
  const test::Folder folder;
  const Variable own("SPOROS_CACHE", folder / "new");
  const auto first = known();
  EXPECT_NE(first.reason.find("No such file"), std::string::npos) << first.reason;
  const auto second = known();
  EXPECT_EQ(second.reason, "");
  EXPECT_EQ(second.model.kernel.step, first.model.kernel.step);
  EXPECT_EQ(second.model.handover, first.model.handover);

  const std::string path = io::block_model_path(io::block_model_key<Space>("philox"));
  folder.write(path.substr(folder.path().size() + 1), "{}");
  EXPECT_EQ(known().reason, path + ", line 1, has no member 'block_model'");
  EXPECT_EQ(known().reason, "");  // the file was written again
}

TEST(KnownBlockModel, IsThereWhereItCannotBeKept) {
  const Variable own("SPOROS_CACHE", "/dev/null/nowhere");
  const auto measured = known();
  EXPECT_GT(measured.model.kernel(1), 0);
  EXPECT_NE(measured.reason.find("cannot write"), std::string::npos) << measured.reason;
}

}  // namespace block_model_json_tests
