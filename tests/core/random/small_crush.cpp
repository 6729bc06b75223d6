// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs SmallCrush, the small battery of TestU01 (L'Ecuyer, Simard: TestU01, ACM Trans. Math. Softw. 33, 2007), on the
// engine named on the command line. Its streams are interleaved across replications and inputs. `blocks` stands for the
// draws of eight consumers of RANLUX blocks in turn. `rand` is the control, which must be rejected: the rand() of Aloui
// and Ourbih-Tari (2011), The use of refined descriptive sampling and applications in parallel Monte Carlo simulation.
//
// A number from 1 to 96 selects that test of Crush, the larger battery; big:1 to big:106 select one of BigCrush, the
// largest. Each of these tests starts with the first draw.
#include "harness/serial_or_host.hpp"
#include "host_engine_cases.hpp"

#include <sporos/core/random_blocks/random_blocks.hpp>

extern "C" {
#include <bbattery.h>
#include <swrite.h>
#include <unif01.h>
}

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace small_crush_tests {

using namespace sporos;
using test::SerialOrHost;

// Probability of rejecting a good engine for a random seed, with Bonferroni's correction. The seed is fixed.
constexpr double error_probability = 1e-4;
constexpr int tests_of_crush = 96, tests_of_big_crush = 106;

// All of SmallCrush, or one test of a larger battery.
struct Battery {
  bool is_big = false;
  int test = 0;
};

// One draw of each of 16 streams in turn, 64 times over, followed by the streams of the next four replications. A draw
// gives `words` words of 32 bits, the upper one first.
template <class E, int words>
class Interleaved {
 public:
  std::uint32_t next_word() {
    if (m_next == numbers) draw();
    return m_words[m_next++];
  }

 private:
  static constexpr std::size_t replications = 4, inputs = 4, draws_of_a_stream = 64;
  static constexpr std::size_t numbers = replications * inputs * draws_of_a_stream * words;

  void draw() {
    for (std::size_t i = 0; i < replications * inputs; ++i) {
      std::array<std::uint64_t, draws_of_a_stream> draws;
      fill({2024, m_replication + i / inputs, static_cast<std::uint32_t>(i % inputs)}, draws);
      for (std::size_t j = 0; j < draws.size() * words; ++j) {
        const std::size_t place = (j / words * replications * inputs + i) * words + j % words;
        m_words[place] = static_cast<std::uint32_t>(draws[j / words] >> (32 - 32 * (j % words)));
      }
    }
    m_replication += replications;
    m_next = 0;
  }

  // Fills `draws` with the first draws of a stream.
  static void fill(const Stream& stream, std::array<std::uint64_t, draws_of_a_stream>& draws) {
    if constexpr (CounterEngine<E>) {
      for (std::size_t i = 0; i < draws.size(); i += E::draws_per_block) {
        const auto block = E::block(stream, i / E::draws_per_block);
        for (int w = 0; w < E::draws_per_block; ++w) draws[i + static_cast<std::size_t>(w)] = block[w];
      }
    } else {
      E engine = E::of_stream(stream);
      for (auto& draw : draws) draw = engine.next_draw();
    }
  }

  std::uint32_t m_words[numbers] = {};
  std::size_t m_next = numbers;
  std::uint64_t m_replication = 0;
};

// TestU01 takes its bits from a function without arguments.
template <class E, int words>
unsigned int next_word() {
  static constinit Interleaved<E, words> interleaved;
  return interleaved.next_word();
}

// Words of one draw of each consumer in turn, the upper one first.
unsigned int next_word_of_blocks() {
  static RandomBlocks<SerialOrHost, Ranlux24_0> blocks(2024);
  static std::vector<BlockConsumer> consumers;
  static std::size_t next = 0;
  static std::uint64_t draw = 0;
  while (consumers.size() < 8) consumers.push_back(blocks.consumer(consumers.size()));
  if (next++ % 2 != 0) return static_cast<std::uint32_t>(draw);
  draw = consumers[next / 2 % consumers.size()]();
  return static_cast<std::uint32_t>(draw >> 32);
}

void run_battery(unif01_Gen* generator, const Battery& battery) {
  if (battery.test == 0) return bbattery_SmallCrush(generator);
  std::vector<int> repetitions(tests_of_big_crush + 1);
  repetitions.at(static_cast<std::size_t>(battery.test)) = 1;
  (battery.is_big ? bbattery_RepeatBigCrush : bbattery_RepeatCrush)(generator, repetitions.data());
}

// Runs the battery and prints the p-value of each test. Returns whether no test rejects the generator.
bool passes(std::string name, unsigned int (*words)(), const Battery& battery) {
  swrite_Basic = FALSE;  // no report except for the summary
  unif01_Gen* generator = unif01_CreateExternGenBits(name.data(), words);
  run_battery(generator, battery);
  unif01_DeleteExternGenBits(generator);
  double least = 1;
  for (int i = 0; i < bbattery_NTests; ++i) {
    const double p = bbattery_pVal[i], tail = std::min(p, 1 - p);
    std::printf("%-12s %-24s p = %.6g\n", name.c_str(), bbattery_TestNames[i], p);
    least = std::min(least, tail);
  }
  return bbattery_NTests > 0 && 2 * bbattery_NTests * least >= error_probability;
}

bool engine_passes(Engine engine, const Battery& battery) {
  bool passed = false;
  test::for_each_engine_of_hosts([&]<class Case>(const Case&) {
    if (Case::engine == engine) {
      passed = passes(std::string(name_of(engine)), next_word<typename Case::Type, 2>, battery);
    }
  });
  return passed;
}

bool passes_as_expected(const std::string& name, const Battery& battery) {
  // A draw of PaperRand has random bits in its upper word only.
  if (name == "rand") return !passes(name, next_word<test::PaperRand, 1>, battery);
  if (name == "blocks") return passes(name, next_word_of_blocks, battery);
  return engine_passes(parse_choice<Engine>(name), battery);
}

Battery battery_of(const std::string& text) {
  const bool is_big = text.starts_with("big:");
  const int test = std::stoi(is_big ? text.substr(4) : text);
  if (test < 1 || test > (is_big ? tests_of_big_crush : tests_of_crush)) {
    throw std::invalid_argument("test is " + text + ", expected 1 to 96 of Crush, or big:1 to big:106 of BigCrush");
  }
  return {is_big, test};
}

}  // namespace small_crush_tests

int main(int argc, char** argv) {
  using namespace small_crush_tests;
  try {
    if (argc != 2 && argc != 3)
      throw std::invalid_argument("usage: small_crush ENGINE|blocks|rand [TEST_OF_CRUSH|big:TEST_OF_BIG_CRUSH]");
    return passes_as_expected(argv[1], argc == 3 ? battery_of(argv[2]) : Battery()) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "small_crush: %s\n", error.what());
    return 2;
  }
}
