// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Includes what you need to write a model and to simulate it. Other components have one header for each task:
/// docs/reference/cpp-headers.md lists them.

#include <sporos/core/distributions/any_distribution.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/counts.hpp>
#include <sporos/core/distributions/johnson.hpp>
#include <sporos/core/distributions/phase_type.hpp>
#include <sporos/core/distributions/power_tails.hpp>
#include <sporos/core/distributions/tables.hpp>
#include <sporos/core/distributions/trials.hpp>
#include <sporos/core/distributions/truncated.hpp>
#include <sporos/core/events/calendar.hpp>
#include <sporos/core/events/entity_pool.hpp>
#include <sporos/core/events/fifo_queue.hpp>
#include <sporos/core/events/histogram.hpp>
#include <sporos/core/events/lifo_queue.hpp>
#include <sporos/core/events/priority_queue.hpp>
#include <sporos/core/events/processor_sharing.hpp>
#include <sporos/core/events/resource.hpp>
#include <sporos/core/events/tally.hpp>
#include <sporos/core/events/time_average.hpp>
#include <sporos/core/events/timers.hpp>
#include <sporos/core/execution/app_view.hpp>
#include <sporos/core/execution/check_launches.hpp>
#include <sporos/core/input_processes/arrivals.hpp>
#include <sporos/core/input_processes/brownian.hpp>
#include <sporos/core/input_processes/markov_arrivals.hpp>
#include <sporos/core/input_processes/multivariate_normal.hpp>
#include <sporos/core/input_processes/norta.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/core/replication/host_model.hpp>
#include <sporos/core/replication/replicate.hpp>
