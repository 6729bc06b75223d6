// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/backend/processes.hpp>

#ifdef SPOROS_MPI
#include <sporos/core/distributed/mpi.hpp>
#endif

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

namespace sporos::runtime {

namespace {

Processes* all_processes = &single_process;
LocalPlace place;
bool have_met = false;

// Environment variables by which launchers pass number and rank of processes: Open MPI, MPICH and its relatives, Slurm.
struct Launcher {
  const char* count;
  const char* rank;
};
constexpr std::array launchers{Launcher{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                               Launcher{"PMI_SIZE", "PMI_RANK"}, Launcher{"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"},
                               Launcher{"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

std::optional<int> number_in(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  return std::atoi(text);
}

// Number of processes that were launched together, and the rank of this one, as far as known without MPI.
struct Begun {
  int count = 1, rank = 0;
};

Begun begun_processes() {
  for (const auto& launcher : launchers) {
    const auto count = number_in(launcher.count), rank = number_in(launcher.rank);
    if (count && rank) return {*count, *rank};
  }
  return {};
}

}  // namespace

Processes& processes() { return *all_processes; }

bool is_first_process() { return all_processes->rank() == 0; }

LocalPlace local_place() { return place; }

#ifdef SPOROS_MPI

namespace {

void lose_standard_output() {
  const int null = ::open("/dev/null", O_WRONLY);
  if (null < 0) return;
  ::dup2(null, STDOUT_FILENO);
  ::close(null);
}

}  // namespace

struct ProcessSession::Mpi {
  MpiSession session;
  MpiProcesses world{MPI_COMM_WORLD};
};

void ProcessSession::begin() {
  if (begun_processes().count < 2) return;  // starting MPI takes a while
  m_mpi = std::make_unique<Mpi>();
  all_processes = &m_mpi->world;
  MPI_Comm neighbours;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &neighbours);
  MPI_Comm_rank(neighbours, &place.rank);
  MPI_Comm_size(neighbours, &place.count);
  MPI_Comm_free(&neighbours);
  if (!is_first_process()) lose_standard_output();
}

namespace {

bool completes_soon(MPI_Request& request) {
  using namespace std::chrono_literals;
  int is_complete = 0;
  for (const auto start = std::chrono::steady_clock::now(); std::chrono::steady_clock::now() < start + 2s;) {
    MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE);
    if (is_complete != 0) return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

}  // namespace

// Uses MPI_COMM_WORLD rather than the communicator of processes(), in which some processes may not have completed their
// collective calls.
int common_status(int status) {
  if (processes().count() == 1) return status;
  if (status == 1 && has_failed_separately()) MPI_Abort(MPI_COMM_WORLD, status);
  int common = status;
  MPI_Request all_are_here = MPI_REQUEST_NULL;
  MPI_Iallreduce(&status, &common, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &all_are_here);
  if (status != 0 && is_first_process() && !completes_soon(all_are_here)) MPI_Abort(MPI_COMM_WORLD, status);
  MPI_Wait(&all_are_here, MPI_STATUS_IGNORE);
  return common;
}

#else

struct ProcessSession::Mpi {};

// A process that computes without the others although several were launched. Its rank ensures that only the first one
// reports.
class OneOfMany final : public OneProcess {
 public:
  explicit OneOfMany(int rank) : m_rank(rank) {}
  int rank() const override { return m_rank; }

 private:
  int m_rank;
};

void ProcessSession::begin() {
  const Begun begun = begun_processes();
  if (begun.count < 2) return;
  static OneOfMany this_process(begun.rank);
  all_processes = &this_process;
  throw std::invalid_argument(std::to_string(begun.count)
                                  .append(" processes were launched together, but this program is built without MPI: "
                                          "expected one, or a build with SPOROS_MPI"));
}

int common_status(int status) { return status; }

#endif

ProcessSession::ProcessSession() = default;

ProcessSession::~ProcessSession() { all_processes = &single_process; }

bool has_failed_separately() { return have_met && processes().count() > 1 && !processes().failed_together(); }

void meet(const std::exception_ptr& failure) {
  if (have_met) {
    if (failure) std::rethrow_exception(failure);
    return;
  }
  have_met = true;
  check_together(processes(), failure);
}

}  // namespace sporos::runtime
