// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <string_view>

namespace sporos::test {

// A mixture fitted by another program, whose likelihood our fits must reach.
struct ReferenceFit {
  std::string_view data;     // file in examples/data
  std::string_view program;  // program that fitted the mixture
  double floor;              // smallest deviation allowed; 0 if the program reports none
  int components;
  double log_likelihood;
  double bic;  // −2 L + (3 k − 1) ln n
};

// mclust 6.0.0 (R 4.2.2): Mclust(y, G = k, modelNames = "V", control = emControl(tol = c(1e-12, 1e-8),
//   itmax = c(1e5, 1e5))), one start from hierarchical clustering. It finds no mixture of 8 to 10 components for
//   old_faithful. Its own choice among models with equal and unequal deviations is 4 unequal for galaxies, 2 equal for
//   old_faithful (L −1034.002, BIC 2090.43) and 5 unequal for loss_given_default.
// scikit-learn 1.9.1 (NumPy 2.4.6): the better of GaussianMixture(k, covariance_type="spherical", n_init=20,
//   init_params=i, tol=1e-8, max_iter=3000, reg_covar=floor², random_state=1) for i "kmeans" and "k-means++"; for
//   loss_given_default from 7 components on "k-means++" alone, tol=1e-6, max_iter=1000. It adds reg_covar to every
//   variance, so its fits are a little below the maximum.
inline constexpr ReferenceFit reference_fits[] = {
    {"galaxies", "mclust", 0, 1, -240.416493, 489.646425},
    {"galaxies", "mclust", 0, 2, -220.358869, 462.751334},
    {"galaxies", "mclust", 0, 3, -212.136307, 459.526367},
    {"galaxies", "mclust", 0, 4, -199.290250, 447.054412},
    {"galaxies", "mclust", 0, 5, -197.457430, 456.608929},
    {"galaxies", "mclust", 0, 6, -195.190510, 465.295248},
    {"galaxies", "mclust", 0, 7, -195.248279, 478.630943},
    {"galaxies", "mclust", 0, 8, -192.879751, 487.114046},
    {"galaxies", "mclust", 0, 9, -190.965522, 496.505743},
    {"galaxies", "mclust", 0, 10, -188.295740, 504.386339},
    {"galaxies", "scikit-learn", 0.05, 1, -240.416493, 489.646425},
    {"galaxies", "scikit-learn", 0.05, 2, -220.193483, 462.420562},
    {"galaxies", "scikit-learn", 0.05, 3, -203.482328, 442.218411},
    {"galaxies", "scikit-learn", 0.05, 4, -197.716104, 443.906119},
    {"galaxies", "scikit-learn", 0.05, 5, -190.729982, 443.154033},
    {"galaxies", "scikit-learn", 0.05, 6, -184.177347, 443.268921},
    {"galaxies", "scikit-learn", 0.05, 7, -180.803655, 449.741696},
    {"galaxies", "scikit-learn", 0.05, 8, -181.413805, 464.182152},
    {"galaxies", "scikit-learn", 0.05, 9, -178.040112, 470.654924},
    {"galaxies", "scikit-learn", 0.05, 10, -175.609042, 479.012941},
    {"galaxies", "scikit-learn", 0.001, 1, -240.416493, 489.646425},
    {"galaxies", "scikit-learn", 0.001, 2, -220.193144, 462.419883},
    {"galaxies", "scikit-learn", 0.001, 3, -203.481980, 442.217714},
    {"galaxies", "scikit-learn", 0.001, 4, -197.710314, 443.894540},
    {"galaxies", "scikit-learn", 0.001, 5, -190.448799, 442.591667},
    {"galaxies", "scikit-learn", 0.001, 6, -182.574506, 440.063239},
    {"galaxies", "scikit-learn", 0.001, 7, -175.288621, 438.711627},
    {"galaxies", "scikit-learn", 0.001, 8, -178.189270, 457.733084},
    {"galaxies", "scikit-learn", 0.001, 9, -172.432070, 459.438841},
    {"galaxies", "scikit-learn", 0.001, 10, -169.967872, 467.730603},
    {"old_faithful", "mclust", 0, 1, -1095.288801, 2201.789205},
    {"old_faithful", "mclust", 0, 2, -1034.001750, 2096.032510},
    {"old_faithful", "mclust", 0, 3, -1033.495612, 2111.837640},
    {"old_faithful", "mclust", 0, 4, -1030.901851, 2123.467524},
    {"old_faithful", "mclust", 0, 5, -1029.458349, 2137.397928},
    {"old_faithful", "mclust", 0, 6, -1028.310258, 2151.919151},
    {"old_faithful", "mclust", 0, 7, -1026.485869, 2165.087779},
    {"old_faithful", "scikit-learn", 0.15, 1, -1095.288802, 2201.789207},
    {"old_faithful", "scikit-learn", 0.15, 2, -1034.001783, 2096.032576},
    {"old_faithful", "scikit-learn", 0.15, 3, -1031.634978, 2108.116372},
    {"old_faithful", "scikit-learn", 0.15, 4, -1029.367346, 2120.398515},
    {"old_faithful", "scikit-learn", 0.15, 5, -1028.736874, 2135.954976},
    {"old_faithful", "scikit-learn", 0.15, 6, -1027.328116, 2149.954867},
    {"old_faithful", "scikit-learn", 0.15, 7, -1023.878499, 2159.873039},
    {"old_faithful", "scikit-learn", 0.15, 8, -1022.460318, 2173.854083},
    {"old_faithful", "scikit-learn", 0.15, 9, -1018.343929, 2182.438712},
    {"old_faithful", "scikit-learn", 0.15, 10, -1017.290452, 2197.149164},
    {"loss_given_default", "mclust", 0, 1, -9974.781990, 19967.285830},
    {"loss_given_default", "mclust", 0, 2, -9000.800800, 18045.906224},
    {"loss_given_default", "mclust", 0, 3, -8166.002275, 16402.891948},
    {"loss_given_default", "mclust", 0, 4, -8146.011222, 16389.492616},
    {"loss_given_default", "mclust", 0, 5, -8041.933299, 16207.919545},
    {"loss_given_default", "mclust", 0, 6, -8038.045578, 16226.726876},
    {"loss_given_default", "mclust", 0, 7, -8035.999207, 16249.216909},
    {"loss_given_default", "mclust", 0, 8, -8031.049290, 16265.899849},
    {"loss_given_default", "mclust", 0, 9, -8031.851741, 16294.087525},
    {"loss_given_default", "mclust", 0, 10, -8031.851734, 16320.670285},
    {"loss_given_default", "scikit-learn", 0.001, 1, -9974.781990, 19967.285830},
    {"loss_given_default", "scikit-learn", 0.001, 2, -9000.801092, 18045.906808},
    {"loss_given_default", "scikit-learn", 0.001, 3, -8166.007092, 16402.901582},
    {"loss_given_default", "scikit-learn", 0.001, 4, -8146.016390, 16389.502953},
    {"loss_given_default", "scikit-learn", 0.001, 5, -8041.940254, 16207.933454},
    {"loss_given_default", "scikit-learn", 0.001, 6, -8036.902847, 16224.441414},
    {"loss_given_default", "scikit-learn", 0.001, 7, -8037.067184, 16251.352862},
    {"loss_given_default", "scikit-learn", 0.001, 8, -8034.450370, 16272.702009},
    {"loss_given_default", "scikit-learn", 0.001, 9, -8033.767071, 16297.918185},
    {"loss_given_default", "scikit-learn", 0.001, 10, -8032.821491, 16322.609800},
};

// Log-likelihoods of 1 to 10 components for galaxies in the version of R's MASS, with 26.690 in place of 26.960: a
// published run of R's sBIC, GaussianMixtures(maxNumComponents = 10, restarts = 100), an example for Drton and Plummer,
// A Bayesian information criterion for singular models (Journal of the Royal Statistical Society B 79, 2017), section
// 6.2.
inline constexpr std::array published_for_mass_galaxies = {-240.3379, -220.2445, -203.1792, -197.4621, -190.0724,
                                                           -186.8674, -185.8390, -186.7764, -184.0937, -185.8294};

}  // namespace sporos::test
