# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPOROS_MPI_ENVIRONMENT: environment of tests that run several processes.
#
# Without these variables, Open MPI refuses to run as root and to start more processes than there are cores. OMPI_MCA_*
# configures its launcher before version 5, PRTE_MCA_* that of version 5. Other launchers ignore all of them.
# Open MPI chooses ob1 if there is no fast network. Naming it here skips the search for one: 0.15 s of 0.4 s. Processes
# on one machine do not need TCP, about which Open MPI 5 warns if it finds no route. They do not need libfabric (ofi)
# either: loading and unloading it takes each process 1.9 s, of which it computes for 0.1 s.
# The address sanitizer does not report memory that MPI leaves allocated (docs/reference/sanitizers.md).
set(SPOROS_MPI_ENVIRONMENT
    OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_hwloc_base_binding_policy=none PRTE_MCA_hwloc_default_binding_policy=none
    OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_pml=ob1 OMPI_MCA_btl=^tcp,ofi OMP_NUM_THREADS=1 OMP_PROC_BIND=false
    ASAN_OPTIONS=detect_leaks=0)
