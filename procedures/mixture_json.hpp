// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/json.hpp>
#include <sporos/procedures/mixture_bootstrap_result.hpp>
#include <sporos/procedures/mixture_fit_options.hpp>
#include <sporos/procedures/mixture_fit_result.hpp>

#include <cstddef>
#include <utility>

/// Options and results of fits of mixtures as JSON. Doubles are read back with the same bits; values that are not
/// finite become null.
namespace sporos {

/// Returns the options of Nelder–Mead that fit_mixtures uses as JSON.
inline io::Json json_of(const NelderMeadOptions& options) {
  return {{"coefficients", name_of(options.coefficients)},
          {"size_tolerance", io::json_number(options.size_tolerance)},
          {"value_tolerance", io::json_number(options.value_tolerance)},
          {"evaluations", options.evaluations},
          {"restarts", options.restarts},
          {"min_gain", io::json_number(options.min_gain)},
          {"oriented_restarts", options.oriented_restarts}};
}

/// Returns all options of a fit as JSON.
inline io::Json json_of(const MixtureFitOptions& options) {
  return {{"components", {options.min_components, options.max_components}},
          {"starts", options.starts},
          {"nelder_mead_starts", options.nelder_mead_starts},
          {"seed", options.seed},
          {"deviations", name_of(options.deviations)},
          {"floor", options.floor ? io::json_number(*options.floor) : io::Json(nullptr)},
          {"bayesian", options.is_bayesian},
          {"criterion", name_of(options.criterion)},
          {"em_iterations", options.em_iterations},
          {"em_tolerance", io::json_number(options.em_tolerance)},
          {"nelder_mead", json_of(options.nelder_mead)}};
}

/// Returns {"weight", "mean", "deviation"}.
inline io::Json json_of(const models::NormalComponent& component) {
  return {{"weight", io::json_number(component.weight)},
          {"mean", io::json_number(component.mean)},
          {"deviation", io::json_number(component.deviation)}};
}

/// Returns {"concentration", "mean", "mean_strength", "squared_scale", "shape"}.
inline io::Json json_of(const models::MixturePrior& prior) {
  return {{"concentration", io::json_number(prior.concentration)},
          {"mean", io::json_number(prior.mean)},
          {"mean_strength", io::json_number(prior.mean_strength)},
          {"squared_scale", io::json_number(prior.squared_scale)},
          {"shape", io::json_number(prior.shape)}};
}

/// Returns {"method", "log_posterior", "evaluations", "has_converged", "is_at_floor"}.
inline io::Json json_of(const MixtureStartResult& start) {
  return {{"method", name_of(start.method)},
          {"log_posterior", io::json_number(start.log_posterior)},
          {"evaluations", start.evaluations},
          {"has_converged", start.has_converged},
          {"is_at_floor", start.is_at_floor}};
}

/// Returns the fit of one size as JSON:
/// {"components": k, "parameters", "log_likelihood", "log_posterior", "bic", "aic", "icl", "reached",
/// "starts_at_floor",
///  "best_at_floor": number or null,
///  "mixture": [{"weight", "mean", "deviation", "standard_errors": {...}, "is_at_floor"}], "starts": [...]}
inline io::Json json_of(const MixtureSizeFit& size) {
  io::Json mixture = io::Json::array(), starts = io::Json::array();
  for (std::size_t c = 0; c < size.mixture.size(); ++c) {
    io::Json component = json_of(size.mixture[c]);
    component["standard_errors"] = json_of(size.standard_errors[c]);
    component["is_at_floor"] = size.is_at_floor(c);
    mixture.push_back(std::move(component));
  }
  for (const MixtureStartResult& start : size.starts) starts.push_back(json_of(start));
  return {{"components", size.components()},
          {"parameters", size.parameters()},
          {"log_likelihood", io::json_number(size.log_likelihood)},
          {"log_posterior", io::json_number(size.log_posterior)},
          {"bic", io::json_number(size.bic)},
          {"aic", io::json_number(size.aic)},
          {"icl", io::json_number(size.icl)},
          {"reached", size.reached},
          {"starts_at_floor", size.starts_at_floor()},
          {"best_at_floor", size.best_at_floor() ? io::json_number(*size.best_at_floor()) : io::Json(nullptr)},
          {"mixture", std::move(mixture)},
          {"starts", std::move(starts)}};
}

/// Returns the fits of all sizes as JSON:
/// {"sample": {"observations", "mean", "deviation"}, "floor", "prior": {...}, "criterion", "chosen": k, "is_binned",
///  "is_whole", "sizes": [...]}
inline io::Json json_of(const MixtureFit& fit) {
  io::Json sizes = io::Json::array();
  for (const MixtureSizeFit& size : fit.sizes) sizes.push_back(json_of(size));
  return {{"sample",
           {{"observations", io::json_number(fit.sample.weight)},
            {"mean", io::json_number(fit.sample.mean)},
            {"deviation", io::json_number(fit.sample.deviation)}}},
          {"floor", io::json_number(fit.floor)},
          {"prior", json_of(fit.prior)},
          {"criterion", name_of(fit.criterion)},
          {"chosen", fit.sizes[fit.chosen].components()},
          {"is_binned", fit.is_binned},
          {"is_whole", fit.is_whole},
          {"sizes", std::move(sizes)}};
}

/// Returns {"components": k, "statistic", "critical", "p_value"}.
inline io::Json json_of(const MixtureRatioTest& test) {
  return {{"components", test.components},
          {"statistic", io::json_number(test.statistic)},
          {"critical", io::json_number(test.critical)},
          {"p_value", io::json_number(test.p_value)}};
}

/// Returns a bootstrap as JSON:
/// {"samples", "confidence", "level", "tests": [...], "enough": k or null, "components": [{"standard_errors": {...},
///  "lower": {...}, "upper": {...}}]}
inline io::Json json_of(const MixtureBootstrap& bootstrap) {
  io::Json tests = io::Json::array(), components = io::Json::array();
  for (const MixtureRatioTest& test : bootstrap.tests) tests.push_back(json_of(test));
  for (std::size_t c = 0; c < bootstrap.lower.size(); ++c) {
    components.push_back({{"standard_errors", json_of(bootstrap.standard_errors[c])},
                          {"lower", json_of(bootstrap.lower[c])},
                          {"upper", json_of(bootstrap.upper[c])}});
  }
  return {{"samples", bootstrap.options.samples},
          {"confidence", io::json_number(bootstrap.options.confidence)},
          {"level", io::json_number(bootstrap.options.level)},
          {"tests", std::move(tests)},
          {"enough", bootstrap.enough ? io::Json(*bootstrap.enough) : io::Json(nullptr)},
          {"components", std::move(components)}};
}

}  // namespace sporos
