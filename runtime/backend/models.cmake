# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Models, and described cases of models, of the command line and Python, in the order in which they are listed: the type
# in namespace sporos::models, and its header in models/.
set_property(GLOBAL PROPERTY SPOROS_MODELS
    Pi integration/pi.hpp
    MM1 queues/mm1.hpp
    MMCK queues/mmck.hpp
    EventMMCK queues/event_mmck.hpp
    TandemLine queues/tandem_line.hpp
    NetworkCase networks/network.hpp
    RandomWalk walks/random_walk.hpp
    NewsboyCase inventory/newsboy.hpp
    ContinuousNewsvendor inventory/continuous_newsvendor.hpp
    SsInventory inventory/ss_inventory.hpp
    FacilitySizing inventory/facility_sizing.hpp
    DualSourcing inventory/dual_sourcing.hpp
    IronOre inventory/iron_ore.hpp
    SubstitutionNewsvendor inventory/substitution_newsvendor.hpp
    Contamination supply_chains/contamination.hpp
    ActivityNetwork projects/activity_network.hpp
    PertCase projects/pert.hpp
    CallOptions finance/path_option.hpp
    AsianCall finance/asian_call.hpp
    ReservedCapacity revenue/reserved_capacity.hpp
    Hotel revenue/hotel.hpp
    Restaurant queues/restaurant.hpp
    MessageNetworks queues/message_networks.hpp
    ChessPlatform queues/chess_platform.hpp
    AmusementPark queues/amusement_park.hpp
    AmbulanceBases queues/ambulance_bases.hpp
    AssetMix finance/asset_mix.hpp
    GammaLikelihood estimation/gamma_likelihood.hpp
    EmpiricalRisk estimation/empirical_risk.hpp
    NoisyQuadratic synthetic/noisy_quadratic.hpp
    LitSlab radiation/lit_slab.hpp)
