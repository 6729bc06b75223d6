# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPOROS_MPI_ENVIRONMENT: what a test needs that runs several processes.
#
# mpirun refuses more processes than cores, and root, unless it is told. Open MPI's words; others have no such scruples.
# ob1 is what it chooses where there is no fast network: told so, it does not look for one, which takes it 0.15 s of 0.4.
# What it leaves behind is not for the address sanitizer to tell of (docs/sanitizers.md).
set(SPOROS_MPI_ENVIRONMENT
    OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_pml=ob1 OMP_NUM_THREADS=1 OMP_PROC_BIND=false
    ASAN_OPTIONS=detect_leaks=0)
