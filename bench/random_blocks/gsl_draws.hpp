// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gsl/gsl_rng.h>

#include <stdexcept>
#include <string>

namespace sporos::bench::peers {

/// A generator of the GNU Scientific Library, as in the measurements of Lee (2012), Hybrid parallel computing
/// strategies for scientific computing applications. ranlxs0 to ranlxs2 return uniforms of 24 bits, ranlxd1 and ranlxd2
/// of 48.
class GslGenerator {
 public:
  /// Creates the generator with GSL's name `name`. Throws std::invalid_argument if GSL has none of that name.
  GslGenerator(const std::string& name, unsigned long seed) : m_generator(gsl_rng_alloc(type_of(name))) {
    gsl_rng_set(m_generator, seed);
  }
  GslGenerator(const GslGenerator&) = delete;
  GslGenerator& operator=(const GslGenerator&) = delete;
  ~GslGenerator() { gsl_rng_free(m_generator); }

  /// Returns the next uniform.
  double next() const { return gsl_rng_uniform(m_generator); }

 private:
  static const gsl_rng_type* type_of(const std::string& name) {
    for (const gsl_rng_type** type = gsl_rng_types_setup(); *type != nullptr; ++type) {
      if (name == (*type)->name) return *type;
    }
    throw std::invalid_argument("GSL has no generator " + name);
  }

  gsl_rng* m_generator;
};

}  // namespace sporos::bench::peers
