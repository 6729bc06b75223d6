// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/environment_variable.hpp"
#include "refusal.hpp"

#include <sporos/core/distributions/distribution_choice.hpp>
#include <sporos/core/random/engine.hpp>
#include <sporos/core/sampling/sampling.hpp>

#include <gtest/gtest.h>

#include <string>

namespace sporos::test {
namespace bad_input_tests {

class BadInput : public ::testing::TestWithParam<Refusal> {};

TEST_P(BadInput, IsRefusedInOneLine) { expect_refusal(sporos(GetParam().line), GetParam().message); }

const std::string all_models =
    "pi, mm1, mmck, event-mmck, tandem-line, network, random-walk, newsboy, continuous-newsvendor, ss-inventory, "
    "facility-sizing, dual-sourcing, iron-ore, substitution-newsvendor, contamination, activity-network, pert, "
    "call-options, asian-call, reserved-capacity, hotel, restaurant, message-networks, chess-platform, amusement-park, "
    "ambulance-bases, asset-mix, gamma-likelihood, empirical-risk, noisy-quadratic, lit-slab, radiation, "
    "germinal-centre";
const std::string commands =
    "simulate, merge, steady-state, rare-event, replay, sensitivity, input-uncertainty, compare-samplings, stratify, "
    "multilevel, array-rqmc, select, optimize, compare-solvers, problems, predict, fit, sample, calibrate, new, list, "
    "describe, info";
const std::string samplings = names_of<Sampling>();
const std::string count = "expected a whole number from 1 to 9223372036854775807";
const std::string positive = "expected a positive finite number";

INSTANTIATE_TEST_SUITE_P(
    Command, BadInput,
    ::testing::Values(
        Refusal{"", "no command is given: expected " + commands + " or --help"},
        Refusal{"experiment --solvers adam", "unknown command 'experiment': did you mean 'compare-solvers'?"},
        Refusal{"simulat pi", "unknown command 'simulat': did you mean 'simulate'?"},
        Refusal{"run", "unknown command 'run': expected one of " + commands},
        Refusal{"list all", "unexpected 'all': expected sporos list"},
        Refusal{"info all", "unexpected 'all': expected sporos info [OPTION...]"},
        Refusal{"info --format xml", "unknown format 'xml': expected one of table, json, csv"},
        Refusal{"describe", "no model is given: expected sporos describe MODEL|PROBLEM [--PARAMETER VALUE...]"},
        Refusal{"describe san-1 --case x",
                "unexpected '--case': expected sporos describe MODEL|PROBLEM [--PARAMETER VALUE...]"},
        Refusal{"describe network --case /none", "cannot read '/none': No such file or directory"},
        Refusal{"describe mm1 --arrival-rate 1:2", "--arrival-rate is '1:2', expected a number"},
        Refusal{"describe san1",
                "unknown problem 'san1': did you mean 'san-1'? (`sporos problems` lists the problems)"},
        Refusal{"problems all", "unexpected 'all': expected sporos problems [OPTION...]"},
        Refusal{"describe mmkc", "unknown model 'mmkc': did you mean 'mmck'?"},
        Refusal{"simulate",
                "no model is given: expected sporos simulate MODEL [OPTION...]; `sporos list` lists the models"},
        Refusal{"simulate --seed 1 pi",
                "no model is given: expected sporos simulate MODEL [OPTION...]; `sporos list` lists the models"},
        Refusal{"simulate mmk", "unknown model 'mmk': did you mean 'mmck'?"},
        Refusal{"simulate queue", "unknown model 'queue': expected one of " + all_models},
        Refusal{"describe queue", "unknown model 'queue': expected one of " + all_models},
        Refusal{"simulate germinal-center", "unknown model 'germinal-center': did you mean 'germinal-centre'?"},
        Refusal{"simulate random_walk", "unknown model 'random_walk': did you mean 'random-walk'?"},
        Refusal{"simulate pi pi", "unexpected 'pi': expected sporos simulate MODEL [OPTION...]"},
        Refusal{"simulate mmck --arival-rate 4", "unknown option '--arival-rate': did you mean '--arrival-rate'?"},
        Refusal{"simulate mmck --arrival_rate=4", "unknown option '--arrival_rate': did you mean '--arrival-rate'?"},
        Refusal{"simulate pi --servers 3",
                "unknown option '--servers': `sporos simulate pi --help-all` lists the options"},
        Refusal{"simulate pi -5", "unknown option '-5': `sporos simulate pi --help-all` lists the options"},
        Refusal{"simulate pi --seed", "--seed is given without a value"},
        Refusal{"simulate pi --seed 1 --seed 2", "--seed is given 2 times, expected once"}));

INSTANTIATE_TEST_SUITE_P(
    Parameters, BadInput,
    ::testing::Values(
        Refusal{"simulate mmck --arrival-rate 0", "arrival_rate is 0, " + positive},
        Refusal{"simulate mmck --arrival-rate -1", "arrival_rate is -1, " + positive},
        Refusal{"simulate mmck --arrival-rate nan", "arrival_rate is nan, " + positive},
        Refusal{"simulate mmck --arrival-rate inf", "arrival_rate is inf, " + positive},
        Refusal{"simulate mmck --arrival-rate 1e999",
                "--arrival-rate is '1e999', expected a number that fits double precision"},
        Refusal{"simulate mmck --arrival-rate 4x", "--arrival-rate is '4x', expected a number"},
        Refusal{"simulate mmck --arrival-rate four", "--arrival-rate is 'four', expected a number"},
        Refusal{"simulate mmck --servers 2.5", "--servers is '2.5', expected a whole number"},
        Refusal{"simulate mmck --servers 0", "servers is 0, expected a positive integer"},
        Refusal{"simulate mmck --servers 99999999999999999999",
                "--servers is '99999999999999999999', expected a whole number from -9223372036854775808 to "
                "9223372036854775807"},
        Refusal{"simulate mmck --servers 3 --capacity 2", "capacity is 2, expected at least the 3 servers"},
        Refusal{"simulate mmck --from-empty 2", "from_empty is 2, expected 0 or 1"},
        Refusal{"simulate mmck --servers 6:7", "design point 1: capacity is 5, expected at least the 6 servers"},
        Refusal{"simulate mmck --servers 3:1",
                "--servers is '3:1', expected FIRST:LAST or FIRST:LAST:STEP with FIRST at most LAST and a positive "
                "STEP"},
        Refusal{"simulate mmck --arrival-rate 1:2:0",
                "--arrival-rate is '1:2:0', expected FIRST:LAST or FIRST:LAST:STEP with FIRST at most LAST and a "
                "positive STEP"},
        Refusal{"simulate mmck --arrival-rate 1,,2", "--arrival-rate is '', expected a number"},
        Refusal{"simulate newsboy --quantity 51",
                "quantity is 51, expected a whole number from 0 to the largest demand in the table, 50"},
        Refusal{
            "simulate newsboy --quantity 51:53",
            "design point 1: quantity is 51, expected a whole number from 0 to the largest demand in the table, 50"},
        Refusal{"simulate newsboy --salvage 0.5", "salvage is 0.5, expected a number below the cost, 0.5"},
        Refusal{"simulate newsboy --demand /nowhere.csv", "cannot read '/nowhere.csv': No such file or directory"},
        Refusal{"simulate newsboy --demand 1:3", "cannot read '1:3': No such file or directory"},
        Refusal{"simulate pert --network /", "cannot read '/': Is a directory"},
        Refusal{"simulate pi --draws 1:1000000",
                "--draws is '1:1000000', a range of 1e+06 values, expected at most 100000"},
        Refusal{"simulate mmck --servers 1:1000 --capacity 1000:2000",
                "the ranges make 1001000 design points or more, expected at most 100000"}));

INSTANTIATE_TEST_SUITE_P(
    Plans, BadInput,
    ::testing::Values(
        Refusal{"simulate pi --replications 0", "--replications is '0', " + count},
        Refusal{"simulate pi --replications -5", "--replications is '-5', " + count},
        Refusal{"simulate pi --replications 9223372036854775808", "--replications is '9223372036854775808', " + count},
        Refusal{"simulate pi --replications 1.5", "--replications is '1.5', " + count},
        Refusal{"simulate pi --replications 3 --sampling antithetic",
                "replications is 3, expected a multiple of 2, because antithetic sampling runs replications in pairs"},
        Refusal{"simulate pi --precision 1 --max-replications 3 --sampling antithetic",
                "max-replications is 3, expected a multiple of 2, because antithetic sampling runs replications in "
                "pairs"},
        Refusal{"simulate pi --replications 8 --precision 1",
                "--replications is given with a precision: expected --max-replications, which limits the replications"},
        Refusal{"simulate pi --max-replications 8",
                "--max-replications is given without a precision: expected --replications, or --precision or "
                "--relative-precision with it"},
        Refusal{"simulate pi --precision 0", "--precision is 0, expected a positive number"},
        Refusal{"simulate pi --relative-precision -1", "--relative-precision is -1, expected a positive number"},
        Refusal{"simulate pi --precision nan", "--precision is nan, expected a positive number"},
        Refusal{"simulate pi --batch 0", "--batch is '0', " + count},
        Refusal{"simulate pi --time-limit 0", "time limit is 0, expected a positive number of seconds"},
        Refusal{"simulate pi --confidence 1", "confidence is 1, expected a number between 0 and 1, such as 0.95"},
        Refusal{"simulate pi --seed -1", "--seed is '-1', expected a whole number from 0 to 18446744073709551615"},
        Refusal{"simulate pi --seed 18446744073709551616",
                "--seed is '18446744073709551616', expected a whole number from 0 to 18446744073709551615"},
        Refusal{"simulate pi --engine mersenne", "unknown engine 'mersenne': expected one of " + names_of<Engine>()},
        Refusal{"simulate pi --sampling lucky", "unknown sampling 'lucky': expected one of " + samplings},
        Refusal{"simulate pi --mapping block", "unknown mapping 'block': expected one of automatic, thread, warp"},
        Refusal{"simulate pi --covariances 2", "--covariances is '2', expected on or off"},
        Refusal{"simulate pi --common-random-numbers maybe", "--common-random-numbers is 'maybe', expected on or off"},
        Refusal{"simulate pi --format xml", "unknown format 'xml': expected one of table, json, csv"},
        Refusal{"replay pi --replication -1",
                "--replication is '-1', expected a whole number from 0 to 9223372036854775806"},
        Refusal{"replay pi --point 1", "--replication is not given: expected a number from 0"},
        Refusal{"simulate pi --replay 0", "unknown option '--replay': expected the command `sporos replay MODEL`"},
        Refusal{"simulate event-mmck --trace",
                "unknown option '--trace': it is an option of `sporos replay`; `sporos simulate event-mmck --help-all` "
                "lists the options"},
        Refusal{"replay pi --replication 0 --log visits.csv",
                "--log is given with pi, which has no stations, expected network"},
        Refusal{"replay network --replication 0 --log visits.csv --output visits.csv",
                "--output is 'visits.csv', which --log writes: expected another file"},
        Refusal{"replay pi --replication 0 --trace",
                "--trace is given with pi, which has no calendar, expected one of event-mmck, network, amusement-park"},
        Refusal{"simulate event-mmck --servers 63 --capacity 63",
                "servers is 63, expected at most 62, the limit of the event calendar"},
        Refusal{"replay pi --draws 1,2 --replication 0",
                "there are 2 design points: expected --point with a number from 1 to 2"},
        Refusal{"replay pi --draws 1,2 --replication 0 --point 3",
                "--point is '3', expected a whole number from 1 to 2"},
        Refusal{"simulate pi --output /nowhere/at/all", "cannot write '/nowhere/at/all': No such file or directory"},
        Refusal{"simulate pi --output /", "cannot write '/': Is a directory"},
        Refusal{"simulate pi --output /dev/null/x", "cannot write '/dev/null/x': Not a directory"},
        Refusal{"simulate pi --design /nowhere.csv", "cannot read '/nowhere.csv': No such file or directory"},
        Refusal{"simulate pi --design /", "cannot read '/': Is a directory"},
        Refusal{"simulate --plan /nowhere.json", "cannot read '/nowhere.json': No such file or directory"}));

const std::string points = "expected a whole number from 1 to 2147483648";
const std::string dimensions = "expected a whole number from 1 to 268435456";
const std::string sample_form = "expected sporos sample SAMPLING --points N --dimensions D [OPTION...]";
const std::string no_more = "expected " + names_where<Sampling>(goes_on);

INSTANTIATE_TEST_SUITE_P(
    Samples, BadInput,
    ::testing::Values(
        Refusal{"sample", "no sampling is given: " + sample_form + "; SAMPLING is one of " + samplings},
        Refusal{"sample --points 3", "no sampling is given: " + sample_form + "; SAMPLING is one of " + samplings},
        Refusal{"sample lucky --points 3", "unknown sampling 'lucky': expected one of " + samplings},
        Refusal{"sample sobol 3", "unexpected '3': " + sample_form},
        Refusal{"sample sobol --pints 3", "unknown option '--pints': did you mean '--points'?"},
        Refusal{
            "sample sobol --replications 3",
            "unknown option '--replications': it is an option of `sporos simulate`, `sporos rare-event`, `sporos "
            "replay`, `sporos sensitivity`, `sporos input-uncertainty`, `sporos compare-samplings`, `sporos stratify`, "
            "`sporos optimize`; `sporos sample sobol --help-all` lists the options"},
        Refusal{"simulate pi --over draws=1:2",
                "unknown option '--over': it is an option of `sporos select`, `sporos optimize`; `sporos simulate pi "
                "--help-all` lists the options"},
        Refusal{"sample sobol --points 3 --dimensions", "--dimensions is given without a value"},
        Refusal{"sample sobol --points 3 --points 4 --dimensions 2", "--points is given 2 times, expected once"},
        Refusal{"sample sobol --dimensions 2", "--points is not given: " + sample_form},
        Refusal{"sample sobol --points 2", "--dimensions is not given: " + sample_form},
        Refusal{"sample sobol --points 0 --dimensions 2", "--points is '0', " + points},
        Refusal{"sample sobol --points -4 --dimensions 2", "--points is '-4', " + points},
        Refusal{"sample sobol --points four --dimensions 2", "--points is 'four', " + points},
        Refusal{"sample sobol --points 2147483649 --dimensions 1", "--points is '2147483649', " + points},
        Refusal{"sample sobol --points 4 --dimensions 0", "--dimensions is '0', " + dimensions},
        Refusal{"sample sobol --points 4 --dimensions -1", "--dimensions is '-1', " + dimensions},
        Refusal{"sample sobol --points 4 --dimensions 2.5", "--dimensions is '2.5', " + dimensions},
        Refusal{"sample sobol --points 4 --dimensions 99999999999", "--dimensions is '99999999999', " + dimensions},
        Refusal{"sample sobol --points 4 --dimensions 3668",
                "--dimensions is 3668, expected at most 3667 for sampling sobol"},
        Refusal{"sample halton --points 4 --dimensions 10001",
                "--dimensions is 10001, expected at most 10000 for sampling halton"},
        Refusal{"sample random --points 268435457 --dimensions 1",
                "268435457 points of 1 dimensions are 268435457 numbers, expected at most 268435456"},
        Refusal{"sample random --points 2147483648 --dimensions 268435456",
                "2147483648 points of 268435456 dimensions are 576460752303423488 numbers, expected at most 268435456"},
        Refusal{"sample descriptive --points 1 --dimensions 2",
                "--points is 1, expected at least 2 for sampling descriptive"},
        Refusal{"sample sobol --points 4 --dimensions 2 --set -1",
                "--set is '-1', expected a whole number from 0 to 4294967295"},
        Refusal{"sample sobol --points 4 --dimensions 2 --seed x",
                "--seed is 'x', expected a whole number from 0 to 18446744073709551615"},
        Refusal{"sample sobol --points 4 --dimensions 2 --engine taus88",
                "--engine is given for sampling sobol, expected it with random and antithetic only"},
        Refusal{"sample descriptive --points 4 --dimensions 2 --engine philox",
                "--engine is given for sampling descriptive, expected it with random and antithetic only"},
        Refusal{"sample random --points 4 --dimensions 2 --primes 3:7",
                "--primes is given for sampling random, expected it with refined-descriptive only"},
        Refusal{"sample refined-descriptive --points 4 --dimensions 2 --primes 8:10",
                "--primes is 8 to 10, expected a range that contains an odd prime and ends below 2147483648"},
        Refusal{"sample refined-descriptive --points 4 --dimensions 2 --primes 7",
                "--primes is '7', expected a range FIRST:LAST, such as 7:97"},
        Refusal{"sample sobol --points 4 --dimensions 2 --mapping block",
                "unknown mapping 'block': expected one of automatic, thread, warp"},
        Refusal{"sample sobol --points 4 --dimensions 2 --format json",
                "unknown format 'json': expected one of csv, npy"},
        Refusal{"sample sobol --points 4 --dimensions 2 --output /nowhere/at/all",
                "cannot write '/nowhere/at/all': No such file or directory"},
        Refusal{"sample descriptive --points 4 --dimensions 2 --extend x",
                "--extend is given for sampling descriptive, whose sets depend on their number of points: " + no_more},
        Refusal{
            "sample latin-hypercube-centred --points 4 --dimensions 2 --extend x",
            "--extend is given for sampling latin-hypercube-centred, whose sets depend on their number of points: " +
                no_more}));

TEST(BadThreads, AreRefused) {
  for (const std::string& program : programs()) {
    const auto outcome = run(program, words("simulate pi --threads 0"));
    EXPECT_EQ(outcome.status, 2) << program;
    EXPECT_EQ(outcome.out, "") << program;
    EXPECT_EQ(lines_of(outcome.error), 1) << outcome.error;
  }
  if (first_program != std::string("sporos-serial")) GTEST_SKIP() << "this build has no serial backend";
  expect_refusal(run(first_program, words("simulate pi --threads 2")),
                 "--threads is '2', expected 1: the serial backend has one thread");
}

// Invalid thread counts in the environment are refused as well. OMP_NUM_THREADS is ignored if --threads is given, and
// by programs other than sporos-openmp.
TEST(BadThreads, OfTheEnvironmentAreRefused) {
  const auto outcome = [](const std::string& program, const std::string& variable, const std::string& value,
                          const std::string& more = "") {
    const EnvironmentVariable set(variable, value);
    return run(program, words("simulate pi --replications 10 --draws 1" + more));
  };
  for (const std::string& program : programs()) {
    for (const std::string value : {"0", "-1", "513", "1000000", "600,2", "two", ""}) {
      expect_refusal(outcome(program, "KOKKOS_NUM_THREADS", value),
                     "KOKKOS_NUM_THREADS is '" + value + "', expected a whole number from 1 to 512");
    }
    EXPECT_EQ(outcome(program, "KOKKOS_NUM_THREADS", "2").status, 0) << program;
    EXPECT_EQ(outcome(program, "OMP_DYNAMIC", "true").status, 0) << program;
    for (const std::string value : {"513", "600,2", "1000000", "2147483648", "99999999999"}) {
      if (program == "sporos-openmp") {
        expect_refusal(outcome(program, "OMP_NUM_THREADS", value),
                       "OMP_NUM_THREADS is '" + value + "', expected at most 512 threads");
        EXPECT_EQ(outcome(program, "OMP_NUM_THREADS", value, " --threads 2").status, 0) << value;
      } else {
        EXPECT_EQ(outcome(program, "OMP_NUM_THREADS", value).status, 0) << value;
      }
    }
  }
  const EnvironmentVariable two("KOKKOS_NUM_THREADS", "2");
  EXPECT_EQ(run("sporos-openmp", words("simulate pi --replications 10 --draws 1 --threads 3")).status, 0);
  const EnvironmentVariable limit("OMP_THREAD_LIMIT", "2");
  expect_refusal(run("sporos-openmp", words("simulate pi --threads 3")),
                 "the number of threads is 3, but OMP_THREAD_LIMIT is 2: use fewer threads, or raise OMP_THREAD_LIMIT");
}

// A file with a fault, and the expected message after the file's path.
struct BadFile {
  std::string name;
  std::string contents;
  std::string message;
};

void PrintTo(const BadFile& file, std::ostream* stream) { *stream << file.name; }

class BadDesign : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadDesign, IsRefusedInOneLine) {
  const Folder folder;
  const std::string path = folder.write("design.csv", GetParam().contents);
  expect_refusal(run("sporos", {"simulate", "mmck", "--design", path}), path + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadDesign,
    ::testing::Values(
        BadFile{"empty", "", " is empty, expected a line of parameter names and a line for each design point"},
        BadFile{"no rows", "servers,capacity\n", ": no row follows the names, expected one for each design point"},
        BadFile{"unknown column", "servers,arival_rate\n3,4\n",
                ", line 1: column 'arival_rate' is no parameter of mmck: did you mean 'arrival_rate'?"},
        BadFile{"no names", "3,5\n4,6\n",
                ", line 1: column '3' is no parameter of mmck: expected one of arrival_rate, service_rate, servers, "
                "capacity, customers, from_empty"},
        BadFile{"column without a name", "servers,,capacity\n3,4,5\n",
                ", line 1: column 2 has no name; give it one, or delete the column"},
        BadFile{"column twice", "servers,servers\n3,4\n", ", line 1: column 'servers' occurs twice"},
        BadFile{"column twice in two spellings", "arrival_rate,arrival-rate\n3,4\n",
                ", line 1: column 'arrival-rate' occurs twice"},
        BadFile{"missing field", "servers,capacity\n3,5\n4\n", ", line 3: 1 field, expected 2: servers, capacity"},
        BadFile{"field too many", "servers,capacity\n3,5,7\n", ", line 2: 3 fields, expected 2: servers, capacity"},
        BadFile{"line without a field", "servers,capacity\n\n3,5\n",
                ", line 2: 1 field, expected 2: servers, capacity"},
        BadFile{"empty field", "servers,capacity\n3,\n", ", line 2: capacity is '', expected a whole number"},
        BadFile{"text for a number", "servers,arrival_rate\n3,4\n3,fast\n",
                ", line 3: arrival_rate is 'fast', expected a number"},
        BadFile{"number with a tail", "servers\n3 servers\n",
                ", line 2: 'servers' is '3 servers', expected a number: write it without the unit"},
        BadFile{"values out of range", "servers,capacity\n6,5\n7,5\n",
                ", line 2: capacity is 5, expected at least the 6 servers"},
        BadFile{
            "quote within a field", "servers\n1\"1\n",
            ", line 2: 'servers' has a quote that is neither doubled nor at an end of the field, which CSV (RFC 4180) "
            "does not allow"},
        BadFile{"quote that is never closed", "servers\n\"3\n4\n",
                ", line 2: 'servers' begins with a quote that is never closed, which CSV (RFC 4180) does not allow"},
        BadFile{"Latin-1", "servers,caf\xE9\n3,4\n",
                ", line 1: the byte 0xE9 is not UTF-8; if the file is in Latin-1 (ISO 8859-1), convert it by iconv -f "
                "ISO-8859-1 -t UTF-8"},
        BadFile{"UTF-16", std::string("\xFF\xFEs\0\n\0003\0", 8),
                " begins with a byte-order mark of UTF-16, expected UTF-8: convert it by iconv -f UTF-16 -t UTF-8"},
        BadFile{"quoted line ends before a fault", "servers,capacity\n\"3\n\",5\n",
                ", line 2: servers is '3?', expected a whole number"}));

class BadNetwork : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadNetwork, IsRefusedInOneLine) {
  const Folder folder;
  const std::string path = folder.write("network.csv", GetParam().contents);
  expect_refusal(run("sporos", {"simulate", "pert", "--network", path}), path + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadNetwork,
    ::testing::Values(
        BadFile{"empty", "", " is empty, expected a line of column names and a line for each activity"},
        BadFile{"other columns", "activity,from,to\na,1,2\n",
                ", line 1: the columns are 'activity, from, to', expected activity, from, to, distribution"},
        BadFile{"bad distribution", "activity,from,to,distribution\na,1,2,uniform(5 1)\n",
                ", line 2: 'uniform(5 1)': low is 5, expected a number not above high, 1"},
        BadFile{
            "line in a name", "activity,from,to,distribution\na,1,2,\"uni\nform\"\n",
            ", line 2: 'uni?form': unknown distribution 'uni form': expected one of " + names_of<DistributionKind>()},
        BadFile{"negative duration", "activity,from,to,distribution\na,1,2,normal(5 1)\n",
                ": activity 'a': its duration can be as low as -inf, expected at least 0"},
        BadFile{"cycle", "activity,from,to,distribution\na,1,2,constant(1)\nb,2,3,constant(1)\nc,3,2,constant(1)\n",
                ": the activities b, c form a cycle, through event '2'"},
        BadFile{"activity to nowhere",
                "activity,from,to,distribution\na,1,2,constant(1)\nb,2,3,constant(1)\nc,2,4,constant(1)\n",
                ": no activity starts at the events '3' (activity 'b') and '4' (activity 'c'), expected a single last "
                "event"}));

class BadDemand : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadDemand, IsRefusedInOneLine) {
  const Folder folder;
  const std::string path = folder.write("demand.csv", GetParam().contents);
  expect_refusal(run("sporos", {"simulate", "newsboy", "--demand", path}), path + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadDemand,
    ::testing::Values(BadFile{"sum", "demand,probability\n1,0.5\n2,0.25\n",
                              ": the sum of column 'probability' is 0.75, expected 1"},
                      BadFile{"backwards", "demand,frequency\n2,50\n1,50\n",
                              ", line 3: demand is 1, expected more than 2, the demand on the line before"},
                      BadFile{"negative", "demand,frequency\n1,150\n2,-50\n",
                              ", line 3: frequency is -50, expected a finite number of at least 0"}));

TEST(Design, OfNetworksWithOtherActivitiesIsRefused) {
  const Folder folder;
  const std::string columns = "activity,from,to,distribution\n";
  const std::string one = folder.write("one.csv", columns + "a,1,2,constant(1)\n");
  const std::string two = folder.write("two.csv", columns + "a,1,2,constant(1)\nb,2,3,constant(1)\n");
  const std::string design = folder.write("design.csv", "network\n" + one + "\n" + two + "\n");
  expect_refusal(run("sporos", {"simulate", "pert", "--design", design}),
                 "design point 2 has 3 responses, expected as many as design point 1, 2");
}

TEST(Design, AndAnOptionForTheSameParameterAreRefused) {
  const Folder folder;
  const std::string path = folder.write("design.csv", "servers\n3\n");
  expect_refusal(run("sporos", {"simulate", "mmck", "--design", path, "--servers", "2"}),
                 "--servers and column 'servers' of " + path + " are given: expected one of them");
}

class BadPlan : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadPlan, IsRefusedInOneLine) {
  const Folder folder;
  const std::string path = folder.write("result.json", GetParam().contents);
  expect_refusal(run("sporos", {"simulate", "--plan", path}), path + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadPlan,
    ::testing::Values(BadFile{"no JSON", "digest 42", " is not JSON: error at line 1, column 1"},
                      BadFile{"half a file", R"({"sporos": "0.1.0", "model)",
                              " is not JSON: error at line 1, column 27"},
                      BadFile{"number too large", R"({"seed": 1e999})",
                              " is not JSON that can be read: a number is too large, line 1, column 14, in seed"},
                      BadFile{"other JSON", "[1, 2]", ", line 1, has no member 'subject'"},
                      BadFile{"no plan", R"({"subject": "pi"})", ", line 1, has no member 'settings'"},
                      BadFile{"half a plan", R"({"sporos": "0.1.0", "subject": "pi", "settings": {}})",
                              ", line 1: settings has no member 'precision'"}));

TEST(Plan, OfAnotherModelIsRefused) {
  const Folder folder;
  const std::string path = folder / "result.json";
  ASSERT_EQ(run("sporos", {"simulate", "pi", "--replications", "2", "--format", "json", "--output", path}).status, 0);
  expect_refusal(run("sporos", {"simulate", "mmck", "--plan", path}),
                 "'" + path + "' is an experiment with the model pi, not mmck");
}

}  // namespace bad_input_tests
}  // namespace sporos::test
