// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos optimize MODEL`: bad input is refused with one line.
#include "optimizations.hpp"
#include "refusal.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sporos::test {
namespace optimize_model_bad_input_tests {

const std::string over = "--over service-rate=1:2 ", idle = "--minimize 'idle time' ";

class BadModelOptimization : public ::testing::TestWithParam<Refusal> {};

TEST_P(BadModelOptimization, IsRefusedInOneLine) {
  expect_refusal(run_line(first_program, "optimize mm1 --customers 50 " + GetParam().line), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadModelOptimization,
    ::testing::Values(
        Refusal{over, "no objective is given, expected --minimize or --maximize with an expression"},
        Refusal{idle, "no decision variable is given, expected --over NAME=LOW:HIGH"},
        Refusal{over + idle + "--maximize 1", "--minimize and --maximize are given, expected one of them"},
        Refusal{"--over service-rate=2:1 " + idle,
                "--over is 'service-rate=2:1', expected NAME=LOW:HIGH with LOW below HIGH, as in arrival-rate=1:10"},
        Refusal{"--over service-rate=a:1 " + idle,
                "--over is 'service-rate=a:1', expected NAME=LOW:HIGH with LOW below HIGH, as in arrival-rate=1:10"},
        Refusal{"--over service-rat=1:2 " + idle,
                "--over is 'service-rat=1:2', and 'service-rat' is no parameter of mm1: did you mean 'service-rate'?"},
        Refusal{over + over + idle, "--over service_rate is given twice"},
        Refusal{over + "--over 'service*=1:3' " + idle, "--over service_rate is given twice"},
        Refusal{"--over 'staff.*=1:2' " + idle,
                "--over is 'staff.*=1:2', and no parameter of mm1 matches 'staff.*', expected one that does"},
        Refusal{over + idle + "--arrival-rate 0.2,0.4",
                "--arrival-rate is '0.2,0.4', expected one value; --over varies a parameter"},
        Refusal{"--over service-rate=-1:2 " + idle,
                "--over service-rate goes to -1, where service_rate is -1, expected a positive finite number"},
        Refusal{"--over customers=1.2:1.8 " + idle,
                "--over is 'customers=1.2:1.8', and customers takes whole numbers, expected whole bounds, as in "
                "customers=1:10"},
        Refusal{over + "--minimize 'idle tim'",
                "--minimize is 'idle tim', expected an expression: it cannot be read (character 6)"},
        Refusal{over + "--minimize 'idle time +'",
                "--minimize is 'idle time +', expected an expression: it ends too early (character 12)"},
        Refusal{over + "--minimize service-rate",
                "--minimize is 'service-rate', expected an expression with at least one response"},
        Refusal{over + idle + "--solver newton",
                "--solver is 'newton', expected one of automatic, astro, astro-df, l-bfgs, sqn, frank-wolfe, adam, "
                "adagrad, robbins-monro, spsa, augmented-lagrangian, conex, coexcg, csa, nelder-mead, r-spline, "
                "coordinate-search, random-search"},
        Refusal{"--over customers=1:9 " + idle + "--solver adam",
                "--solver adam needs decisions that are real numbers; suitable solvers: r-spline, "
                "coordinate-search, random-search"},
        Refusal{"--over service-rate=1:1 " + idle,
                "--over is 'service-rate=1:1', expected NAME=LOW:HIGH with LOW below HIGH, as in arrival-rate=1:10"},
        Refusal{"--over service-rate=1:nan " + idle,
                "--over is 'service-rate=1:nan', expected NAME=LOW:HIGH with LOW below HIGH, as in arrival-rate=1:10"},
        Refusal{over + idle + "--plus '(service-rate'",
                "--plus is '(service-rate', expected an expression: it cannot be read (character 14)"},
        Refusal{
            "--over service-rate=1:inf " + idle + "--solver random-search",
            "--solver random-search needs finite bounds, or --draw for each decision without them; suitable solvers: "
            "astro, astro-df, l-bfgs, sqn, adam, adagrad, robbins-monro, spsa, nelder-mead, r-spline"},
        Refusal{over + idle + "--over arrival-rate=0.1:1 --over customers=5:9 --surface a.svg",
                "--surface is given with 3 decisions, expected one or two"},
        Refusal{over + idle + "--surface a.pdf",
                "picture is 'a.pdf', expected a file name that ends with .svg or .png"},
        Refusal{over + idle + "--surface a.svg --picture a.svg",
                "--surface is 'a.svg', which --picture writes: expected another file"},
        Refusal{over + idle + "--macro-replications 0",
                "--macro-replications is '0', expected a whole number from 1 to 1000000"},
        Refusal{"--over service-rate=1:inf " + idle + "--starts 4",
                "--starts is 4, expected 1 with an infinite bound, or --draw with the distribution of the decision"},
        Refusal{over + idle + "--draw service-rate",
                "--draw is 'service-rate', expected NAME=DISTRIBUTION, as in service_rate=lognormal(0, 1)"},
        Refusal{over + idle + "--draw 'service-rat=normal(0, 1)'",
                "--draw is 'service-rat=normal(0, 1)', and 'service-rat' is no parameter of mm1: did you mean "
                "'service-rate'?"},
        Refusal{over + idle + "--draw 'customers=normal(0, 1)'",
                "--draw is 'customers=normal(0, 1)', but customers is no decision variable, expected --over "
                "customers=LOW:HIGH, too"},
        Refusal{over + idle + "--draw 'service-rate=normal(0)'",
                "--draw is 'service-rate=normal(0)': number of parameters is 1, expected normal(mean, deviation)"},
        Refusal{over + idle + "--draw 'service-rate=empirical(1, 2)'",
                "--draw is 'service-rate=empirical(1, 2)', expected a distribution without a table of values"},
        Refusal{over + idle + "--draw 'service-rate=normal(2, 1)' --draw 'service-rate=normal(2, 1)'",
                "--draw service_rate is given twice"},
        Refusal{over + idle + "--solver random-search --starts 4",
                "--starts is 4, expected 1 for random-search, which tries points all over the bounds"},
        Refusal{over + idle + "--gradient guess",
                "unknown gradient 'guess': expected one of pathwise, likelihood-ratio, differences"},
        Refusal{over + idle + "--over horizon=1:2 --gradient likelihood-ratio",
                "--gradient likelihood-ratio is not known to be right for horizon, expected --gradient pathwise or "
                "differences, or decisions among arrival-rate, service-rate"},
        Refusal{
            over + idle + "--gradient likelihood-ratio --solver l-bfgs",
            "--solver l-bfgs needs gradients of a sample's mean (--gradient pathwise or differences), not likelihood "
            "ratios; suitable solvers: astro, astro-df, adam, adagrad, robbins-monro, spsa, nelder-mead, r-spline, "
            "random-search"},
        Refusal{over + idle + "--gradient likelihood-ratio --gap-batches 4",
                "--gradient is 'likelihood-ratio', expected pathwise or differences with --gap-batches"},
        Refusal{over + idle + "--subject-to service-rate",
                "--subject-to is 'service-rate', expected two expressions with <=, >= or = between them"},
        Refusal{over + idle + "--subject-to '1 < service-rate < 2'",
                "--subject-to is '1 < service-rate < 2', expected two expressions with <=, >= or = between them"},
        Refusal{over + idle + "--subject-to 'service-rate^2 <= 3'",
                "--subject-to is 'service-rate^2 <= 3', expected linear functions of the decisions"},
        Refusal{over + idle + "--subject-to 'arrival-rate <= 3'",
                "--subject-to is 'arrival-rate <= 3', expected at least one decision"},
        Refusal{over + idle + "--subject-to 'service-rate + <= 3'",
                "the left side of --subject-to is 'service-rate + ', expected an expression: it ends too early "
                "(character 16)"},
        Refusal{over + idle + "--subject-to 'time in queue = 1'",
                "--subject-to is 'time in queue = 1', expected <= or >= in a constraint on a response"},
        Refusal{over + idle + "--subject-to 'time in cue <= 1'",
                "the left side of --subject-to is 'time in cue ', expected an expression: it cannot be read "
                "(character 6)"},
        Refusal{over + idle + "--subject-to 'time in queue <= 1' --solver astro",
                "--solver astro needs a problem without constraints on responses; suitable solvers: "
                "augmented-lagrangian, conex, coexcg, csa, random-search"},
        Refusal{over + idle + "--solver coordinate-search",
                "--solver coordinate-search needs decisions that are whole numbers; suitable solvers: astro, astro-df, "
                "l-bfgs, sqn, frank-wolfe, adam, adagrad, robbins-monro, spsa, nelder-mead, r-spline, random-search"},
        Refusal{over + idle + "--solver csa",
                "--solver csa needs a constraint on a response; suitable solvers: astro, astro-df, l-bfgs, sqn, "
                "frank-wolfe, adam, adagrad, robbins-monro, spsa, nelder-mead, r-spline, random-search"},
        Refusal{over + idle + "--subject-to 'time in queue <= 1' --solver coexcg --step 1",
                "--step is given with --solver coexcg, which has no step size: expected no --step"},
        Refusal{over + idle + "--solver random-search --step 1",
                "--step is given with --solver random-search, which has no step size: expected no --step"},
        Refusal{over + idle + "--subject-to 'CVaR_0.9(time in queue) <= 1' --starts 3",
                "--starts is 3, expected 1 with a CVaR in --subject-to"},
        Refusal{over + idle + "--feasible-with 0.9",
                "--feasible-with is given without a constraint on a response, expected --subject-to"},
        Refusal{over + idle + "--subject-to 'time in queue <= 1' --feasible-with 1",
                "--feasible-with is 1, expected a number of at least 0.5 and below 1"},
        Refusal{over + idle + "--subject-to 'service-rate <= 1'",
                "the constraint leaves service_rate only the value 1, expected a range"},
        Refusal{over + idle + "--subject-to 'service-rate <= 1.5' --subject-to 'service-rate >= 1.7'",
                "the constraints contradict each other within the bounds, expected constraints that leave a range"},
        Refusal{over + idle + "--subject-to 'service-rate >= 3'",
                "the constraint leaves service_rate no value, expected a range"},
        Refusal{over + idle + "--subject-to 'service-rate <= 1.5' --solver astro",
                "--solver astro needs bounds only, without --subject-to on decisions; suitable solvers: "
                "frank-wolfe, adam, "
                "adagrad, robbins-monro, spsa"},
        Refusal{"--over service-rate=1:inf " + idle + "--subject-to 'service-rate >= 2' --solver frank-wolfe",
                "--solver frank-wolfe needs finite bounds; suitable solvers: adam, adagrad, robbins-monro, spsa"},
        Refusal{"--over service-rate=1:inf " + idle + "--subject-to 'service-rate >= 2' --gap-batches 5",
                "--gap-batches needs finite bounds with --subject-to on decisions"},
        Refusal{"--over customers=1:9 " + idle + "--subject-to 'customers <= 4'",
                "the start customers = 9 violates --subject-to, expected a start that satisfies it, because decisions "
                "are whole numbers"},
        Refusal{over + idle + "--gap-batches 1", "--gap-batches is 1, expected 0 or at least 2"},
        Refusal{"--over customers=1:9 " + idle + "--gap-batches 9",
                "--gap-batches needs decisions that are real numbers"},
        Refusal{over + idle + "--replications 0", "--replications is '0', " + positive_number},
        Refusal{over + idle + "--confidence 1", "--confidence is 1, expected a number between 0 and 1"}));

TEST(OptimizeModel, RefusesASolverThatNeedsMoreThanTheModelHas) {
  expect_refusal(
      run_line(first_program, "optimize mmck --over service-rate=1:2 --minimize utilization --solver adam"),
      "--solver adam needs pathwise derivatives, which the model does not have (--gradient differences takes central "
      "differences); suitable solvers: astro-df, spsa, nelder-mead, r-spline, random-search");
}

TEST(OptimizeModel, RefusesLikelihoodRatiosWhereTheyAreNotKnownToBeRight) {
  const std::string gradient = " --gradient likelihood-ratio", expected = "--gradient is 'likelihood-ratio', which ";
  expect_refusal(run_line(first_program, "optimize mmck --over service-rate=1:2 --minimize utilization" + gradient),
                 expected + "mmck does not offer, expected --gradient differences");
  expect_refusal(
      run_line(first_program, "optimize continuous-newsvendor --over quantity=0.1:1 --maximize profit" + gradient),
      expected + "continuous-newsvendor does not offer, expected --gradient pathwise or differences");
}

TEST(OptimizeModel, SaysThatABudgetIsTooSmall) {
  const Outcome outcome =
      run_line(first_program, "optimize mm1 --customers 50 " + over + idle + "--replications 9 --solver adam");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.error,
            "sporos: 9 replications are too few for adam: expected more --replications, or a smaller --sample-size\n");
}

}  // namespace optimize_model_bad_input_tests
}  // namespace sporos::test
