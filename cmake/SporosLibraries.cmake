# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The libraries: sporos::core <- sporos::io <- sporos::models <- sporos::procedures, and
# sporos::core <- sporos::linear_algebra <- sporos::optimizers <- sporos::procedures. Each is a component of the package.
include(SporosSameBits)

# A single include root gives headers the same path before and after installation.
set(SPOROS_INCLUDE_ROOT ${PROJECT_BINARY_DIR}/include)
set(SPOROS_HEADER_FOLDERS core models optimizers procedures)
file(MAKE_DIRECTORY ${SPOROS_INCLUDE_ROOT}/sporos)
foreach(folder IN LISTS SPOROS_HEADER_FOLDERS)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${SPOROS_INCLUDE_ROOT}/sporos/${folder} SYMBOLIC)
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/cmake/version.hpp.in ${SPOROS_INCLUDE_ROOT}/sporos/version.hpp @ONLY)

# In a project that includes Sporos as a subproject, Sporos' headers are system headers, so that the project's warnings
# ignore them, like those of an installed Sporos.
set(SPOROS_LIBRARIES)  # each one after those on which it depends
set(system)
if(NOT PROJECT_IS_TOP_LEVEL)
  set(system SYSTEM)
endif()

# sporos_add_library(NAME [SOURCES...] LIBRARIES... [HIDDEN...]): adds sporos::NAME, which links LIBRARIES. It is
# header-only or, with SOURCES, a static library of host code, whose sources alone include headers of HIDDEN. Sets
# SPOROS_NEEDS_NAME to those LIBRARIES and HIDDEN that are Sporos' own. Nothing compiled here calls Kokkos, so that a
# user's Kokkos may differ from the one found here.
function(sporos_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;LIBRARIES;HIDDEN")
  if(ARG_SOURCES)
    add_library(sporos_${name} STATIC ${ARG_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(sporos_${name} PRIVATE ${ARG_HIDDEN} $<BUILD_INTERFACE:sporos_program_options>)
    set_target_properties(sporos_${name} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON UNITY_BUILD ON)
    if(SPOROS_QUICK_BUILD)  # one translation unit takes two thirds of the time of four
      set_target_properties(sporos_${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 0)
    endif()
  else()
    add_library(sporos_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(sporos::${name} ALIAS sporos_${name})
  set_target_properties(sporos_${name} PROPERTIES EXPORT_NAME ${name})
  target_link_libraries(sporos_${name} ${scope} ${ARG_LIBRARIES})
  target_include_directories(sporos_${name} ${system} ${scope}
    $<BUILD_INTERFACE:${SPOROS_INCLUDE_ROOT}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set(SPOROS_LIBRARIES ${SPOROS_LIBRARIES} ${name} PARENT_SCOPE)
  set(needs ${ARG_LIBRARIES} ${ARG_HIDDEN})
  list(FILTER needs INCLUDE REGEX "^sporos::")
  list(TRANSFORM needs REPLACE "^sporos::" "")
  set(SPOROS_NEEDS_${name} ${needs} PARENT_SCOPE)
endfunction()

sporos_add_library(core
  SOURCES core/distributions/parameters.cpp
          core/execution/memory.cpp core/execution/processes.cpp
          core/input_processes/norta_marginal.cpp
          core/linear_algebra/square_matrix.cpp
          core/replication/checkpoints.cpp core/replication/experiment_parts.cpp core/replication/experiment_run.cpp
          core/replication/failed_replications.cpp core/replication/host_model.cpp
          core/replication/plan.cpp core/replication/replicate.cpp core/replication/replication_summary.cpp
          core/replication/response_properties.cpp core/replication/round.cpp core/replication/series_runs.cpp
          core/replication/summarized_rows.cpp
          core/random/host_streams.cpp
          core/sampling/faure_table.cpp core/sampling/halton_bases.cpp core/sampling/lattice_generators.cpp core/sampling/primes.cpp
          core/sampling/inputs.cpp core/sampling/sampling.cpp core/sampling/sobol_directions.cpp core/sampling/uniform_source.cpp
          core/statistics/batch_means.cpp core/statistics/blocked_series.cpp core/statistics/critical_values.cpp
          core/statistics/kept_quantile.cpp core/statistics/proportion.cpp
          core/statistics/quantile.cpp core/statistics/regenerative_mean.cpp core/statistics/simultaneous.cpp
          core/statistics/skart.cpp core/statistics/spectral_mean.cpp core/statistics/tail_shape.cpp
          core/statistics/variance_ratio.cpp core/statistics/warm_up.cpp
  LIBRARIES Kokkos::kokkos Boost::boost)
target_compile_features(sporos_core PUBLIC cxx_std_20)
if(SPOROS_MPI)
  sporos_add_library(distributed LIBRARIES sporos::core MPI::MPI_CXX)  # core/distributed
  target_compile_definitions(sporos_distributed INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)  # skips C++ of MPI 2
endif()
sporos_add_library(io SOURCES core/io/json.cpp core/io/json_text.cpp core/io/printable.cpp
                   LIBRARIES sporos::core fmt::fmt nlohmann_json::nlohmann_json LibCsv::LibCsv)
# Vector operations by Kokkos Kernels are compiled for the Kokkos found: in a user's build, for the user's Kokkos.
sporos_add_vector_operations(${PROJECT_SOURCE_DIR}/core/linear_algebra/vector_operations.cpp)
sporos_add_library(linear_algebra LIBRARIES sporos::core $<BUILD_INTERFACE:sporos_vector_operations>)
sporos_add_library(models SOURCES models/inventory/burr_demand.cpp models/networks/network_approximation.cpp
                           models/networks/network_case.cpp models/networks/network_check.cpp
                           models/networks/network_case_member.cpp models/networks/network_case_unit.cpp
                           models/networks/network_files.cpp models/networks/network_flows.cpp
                           models/networks/network_grid.cpp models/networks/network_layout.cpp
                           models/networks/network_load.cpp models/networks/network_members.cpp
                           models/networks/network_period_picture.cpp models/networks/network_picture.cpp
                           models/networks/network_resources.cpp models/networks/network_responses.cpp
                           models/networks/network_roles.cpp models/networks/network_series.cpp
                           models/networks/network_shifts.cpp models/networks/network_timeline.cpp
                           models/networks/network_visits.cpp
                           models/queues/mm1_exact_means.cpp
                   LIBRARIES sporos::io sporos::linear_algebra)
sporos_add_library(optimizers
  SOURCES optimizers/constrained/augmented_lagrangian.cpp optimizers/constrained/certificate.cpp
          optimizers/constrained/conditional_gradient.cpp optimizers/constrained/constraint_extrapolation.cpp
          optimizers/constrained/cooperative_approximation.cpp optimizers/constrained/lagrangian_problem.cpp
          optimizers/constrained/tail_problem.cpp optimizers/constrained/violation_problem.cpp
          optimizers/linear_programs/host_program.cpp
          optimizers/search/astro_df.cpp optimizers/search/batched_point.cpp optimizers/search/check_pathwise.cpp
          optimizers/search/chord_check.cpp optimizers/search/constrained_problem.cpp
          optimizers/search/coordinate_search.cpp optimizers/search/differenced_problem.cpp
          optimizers/search/drawn_point.cpp optimizers/search/multistart.cpp optimizers/search/neighbour_probe.cpp
          optimizers/search/optimality_gap.cpp optimizers/search/projected_hessian.cpp optimizers/search/r_spline.cpp
          optimizers/search/random_search.cpp optimizers/search/retrospective_lbfgs.cpp
          optimizers/search/retrospective_stages.cpp optimizers/search/run_searches.cpp
          optimizers/search/runs_side_by_side.cpp optimizers/search/sampled_frank_wolfe.cpp
          optimizers/search/sampled_nelder_mead.cpp optimizers/search/sampled_problem.cpp
          optimizers/search/sampled_sqn.cpp optimizers/search/search.cpp optimizers/search/search_region.cpp
          optimizers/search/selection.cpp optimizers/search/step_beliefs.cpp
          optimizers/search/stochastic_approximation.cpp
  LIBRARIES sporos::linear_algebra)
sporos_add_library(procedures
  SOURCES procedures/class_separation.cpp procedures/controlled_means.cpp procedures/decision.cpp procedures/kernel_density.cpp
          procedures/solver_comparison/bootstrap.cpp procedures/solver_comparison/farming.cpp procedures/solver_comparison/progress.cpp
          procedures/solver_comparison/recorded_runs.cpp procedures/solver_comparison/step_curve.cpp
          procedures/max_t.cpp procedures/multilevel/multilevel_result.cpp procedures/objective.cpp
          procedures/point_differences.cpp procedures/ranking_and_selection/constants.cpp
          procedures/ranking_and_selection/journaled_systems.cpp
          procedures/ranking_and_selection/selection_procedures.cpp procedures/ranking_and_selection/system_grid.cpp
          procedures/rare_events/adaptive_levels.cpp procedures/rare_events/importance.cpp
          procedures/rare_events/splitting_result.cpp procedures/sample_groups.cpp
          procedures/sensitivity/estimated_input.cpp procedures/sensitivity/input_uncertainty.cpp
          procedures/sensitivity/pick_freeze.cpp procedures/sensitivity/sobol_indices.cpp
          procedures/simultaneous_intervals.cpp procedures/steady_state/series_methods.cpp
          procedures/steady_state/steady_state.cpp procedures/stratification/stratified_result.cpp
  LIBRARIES sporos::models sporos::optimizers)

# The installed package calls this function again, since the user's Kokkos may be different.
if(SPOROS_SAME_BITS)
  add_library(sporos_same_bits INTERFACE)
  sporos_forbid_contraction(sporos_same_bits)
  target_link_libraries(sporos_core PUBLIC $<BUILD_INTERFACE:sporos_same_bits>)
endif()
