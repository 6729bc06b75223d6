// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sporos inside ExaMiniMD, a molecular dynamics code on Kokkos. The program answers two questions:
// 1. What is the energy of the liquid after a run? Each replication is a run of ExaMiniMD with new random velocities.
// 2. How much work does one more atom take? Sporos puts atoms at random places into the last configuration, which a
//    kernel reads from the View of ExaMiniMD (Widom's insertion).
//
//   energy -il liquid.in
#include <sporos/core/core.hpp>

#include <comm.h>
#include <examinimd.h>
#include <property_kine.h>
#include <property_pote.h>
#include <property_temperature.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <span>
#include <vector>

namespace {

constexpr double start_temperature = 2.0, cutoff = 2.5;

// One run of ExaMiniMD, which reads its arguments.
class Run {
 public:
  Run(int argc, char** argv) {
    m_code.system->do_print = false;
    m_code.init(argc, argv);
  }
  ~Run() { m_code.shutdown(); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // Gives the atoms random velocities of the start temperature, without a motion of the whole. The draws belong to the
  // identifiers of the atoms, since the order of the atoms may depend on threads.
  void draw_velocities(sporos::HostDraws& draws) {
    const System& system = *m_code.system;
    const auto velocities = Kokkos::create_mirror_view(system.v);
    const auto ids = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), system.id);
    const auto atoms = static_cast<std::size_t>(system.N_local);
    std::vector<double> drawn(3 * atoms);
    std::array<double, 3> mean = {};
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      drawn[i] = std::sqrt(start_temperature) * sporos::math::normal_quantile(draws(0));
      mean[i % 3] += drawn[i] / static_cast<double>(atoms);
    }
    Kokkos::deep_copy(velocities, system.v);
    for (std::size_t atom = 0; atom < atoms; ++atom) {
      const auto first = 3 * static_cast<std::size_t>(ids(atom) - 1);
      for (std::size_t k = 0; k < 3; ++k) velocities(atom, k) = drawn[first + k] - mean[k];
    }
    Kokkos::deep_copy(system.v, velocities);
  }

  void advance() { m_code.run(m_code.input->nsteps); }

  double temperature() { return Temperature(m_code.comm).compute(m_code.system); }
  double potential_energy() {
    return PotE(m_code.comm).compute(m_code.system, m_code.binning, m_code.neighbor, m_code.force) / atoms();
  }
  double energy() { return potential_energy() + KinE(m_code.comm).compute(m_code.system) / atoms(); }
  double atoms() const { return m_code.system->N; }
  const System& system() const { return *m_code.system; }

 private:
  ExaMiniMD m_code;
};

// A model that reads the positions of ExaMiniMD's atoms, and of their periodic images near the box: it returns
// exp(-u / T) for the energy u of an atom at a random place. As in ExaMiniMD, the energy of a pair is 0 at the cutoff.
struct Insertion {
  sporos::AppView<const double, 2> positions;
  std::int64_t atoms;  // with periodic images
  Kokkos::Array<double, 3> box;
  double temperature;

  enum Input { x, y, z, input_count };
  static constexpr auto response_names = std::array{"Boltzmann factor"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    const double place[] = {sporos::uniform(inputs(x), 0.0, box[0]), sporos::uniform(inputs(y), 0.0, box[1]),
                            sporos::uniform(inputs(z), 0.0, box[2])};
    const double sixth_at_cutoff = 1 / (cutoff * cutoff * cutoff * cutoff * cutoff * cutoff);
    double energy = 0;
    for (std::int64_t atom = 0; atom < atoms; ++atom) {
      double squared = 0;
      for (int k = 0; k < 3; ++k) squared += (positions(atom, k) - place[k]) * (positions(atom, k) - place[k]);
      if (squared > cutoff * cutoff) continue;
      const double sixth = 1 / (squared * squared * squared);
      energy += 4 * (sixth * (sixth - 1) - sixth_at_cutoff * (sixth_at_cutoff - 1));
    }
    return {{sporos::math::exp(-energy / temperature)}};
  }
};

void print(const char* name, const sporos::ResponseEstimate& response) {
  std::printf("%-32s %9.4f +- %.4f\n", name, response.mean, response.half_width);
}

void host_code(int argc, char** argv) {
  std::unique_ptr<Run> last;
  const auto melt = [&](std::size_t, sporos::HostDraws& draws, std::span<double> responses) {
    last.reset();
    last = std::make_unique<Run>(argc, argv);
    last->draw_velocities(draws);
    const double before = last->energy();
    last->advance();
    responses[0] = last->potential_energy();
    responses[1] = last->temperature();
    responses[2] = last->energy() - before;
  };
  sporos::Plan plan;
  plan.replications = 20;
  const auto runs = sporos::simulate(
      sporos::host_model({"potential energy per atom", "temperature", "drift of energy per atom"}, 1, 1, melt), plan);
  std::printf("%d runs of %d atoms\n", 20, static_cast<int>(last->atoms()));
  for (const auto& response : runs.points[0].responses) print(response.name.c_str(), response);

  const System& system = last->system();
  const Insertion insertion{system.x,
                            system.N_local + system.N_ghost,
                            {{system.domain_x, system.domain_y, system.domain_z}},
                            last->temperature()};
  plan.replications = 400'000;
  const auto inserted = sporos::simulate(Kokkos::DefaultExecutionSpace(), insertion, plan);
  const auto& factor = inserted.responses[0];
  std::printf("excess chemical potential of the last: %.3f +- %.3f\n", -insertion.temperature * std::log(factor.mean),
              insertion.temperature * factor.half_width / factor.mean);
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  try {
    host_code(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "energy: %s\n", error.what());
    Kokkos::finalize();
    return 1;
  }
  Kokkos::finalize();
}
