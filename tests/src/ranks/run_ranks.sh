#!/bin/sh
# run_ranks.sh MPIRUN RANKS PROGRAM [ARGUMENT...]: PROGRAM as so many ranks of this machine, though it has fewer
# processors. Exit status 77: there is no mpirun.
mpirun=$1
ranks=$2
shift 2
if ! command -v "$mpirun" >/dev/null; then
    echo "run_ranks.sh: skipped: there is no mpirun"
    exit 77
fi
# Of Open MPI 4 and 5: --oversubscribe, --allow-run-as-root, ranks that wait give way, and none reads another's memory,
# which containers forbid.
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_btl_sm_use_cma=0
exec "$mpirun" -n "$ranks" "$@"
