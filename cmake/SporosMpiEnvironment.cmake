# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPOROS_MPI_ENVIRONMENT: the environment of tests that run several processes.
#
# Open MPI refuses to start more processes than there are cores, and to run as root, without these variables. OMPI_MCA_* is
# for its launcher before version 5, PRTE_MCA_* for that of version 5. Other launchers ignore all of them.
# ob1 is what Open MPI chooses where there is no fast network: named here, it does not look for one, which takes 0.15 s of
# 0.4. Processes of one machine need no TCP, about which Open MPI 5 warns where it finds no route, and no libfabric (ofi): loading
# and unloading that takes each process 1.9 s, of which it computes for 0.1 s.
# The address sanitizer does not report what MPI leaves behind (docs/sanitizers.md).
set(SPOROS_MPI_ENVIRONMENT
    OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_hwloc_base_binding_policy=none PRTE_MCA_hwloc_default_binding_policy=none
    OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_pml=ob1 OMPI_MCA_btl=^tcp,ofi OMP_NUM_THREADS=1 OMP_PROC_BIND=false
    ASAN_OPTIONS=detect_leaks=0)
