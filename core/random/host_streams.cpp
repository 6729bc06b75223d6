// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/random/host_streams.hpp>

#include <sporos/core/random/boost_engines.hpp>

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace sporos::impl {

// States of one engine, one for each input.
struct HostStreams::States {
  explicit States(Engine own) : engine(own) {}
  virtual ~States() = default;
  virtual void draw(const Stream& stream, std::uint64_t first, unsigned count, std::uint64_t* bits) = 0;

  const Engine engine;
};

namespace {

template <class E>
class StatesOf final : public HostStreams::States {
 public:
  using HostStreams::States::States;

  void draw(const Stream& stream, std::uint64_t first, unsigned count, std::uint64_t* bits) override {
    if (stream.input >= m_engines.size()) m_engines.resize(stream.input + std::size_t{1});
    E& state = m_engines[stream.input];
    if (first == 0) state = E::of_stream(stream);
    std::generate_n(bits, count, [&] { return state.next_draw(); });
  }

 private:
  std::vector<E> m_engines;
};

// States that no replication of this thread uses.
std::vector<std::unique_ptr<HostStreams::States>>& idle_states() {
  thread_local std::vector<std::unique_ptr<HostStreams::States>> idle;
  return idle;
}

std::unique_ptr<HostStreams::States> states_of(Engine engine) {
  auto& idle = idle_states();
  const auto found = std::ranges::find_if(idle, [&](const auto& states) { return states->engine == engine; });
  if (found != idle.end()) {
    auto states = std::move(*found);
    idle.erase(found);
    return states;
  }
  return HostEngines::visit(engine, [&]<class Named>(std::type_identity<Named>) {
    return std::unique_ptr<HostStreams::States>(std::make_unique<StatesOf<typename Named::type>>(engine));
  });
}

}  // namespace

void HostStreams::draw_on_host(Engine engine, const Stream& stream, std::uint64_t first, unsigned count,
                               std::uint64_t* bits) {
  if (m_states == nullptr) m_states = states_of(engine).release();
  m_states->draw(stream, first, count, bits);
}

void HostStreams::give_back() { idle_states().emplace_back(m_states); }

}  // namespace sporos::impl
