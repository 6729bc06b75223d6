// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sporos::test {
namespace {

/// Words of a command line that is refused, and the whole message (without "sporos: ").
struct Refusal {
  std::string line;
  std::string message;
};

void PrintTo(const Refusal& refusal, std::ostream* stream) { *stream << refusal.line; }

void expect_refusal(const Outcome& outcome, const std::string& message) {
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.error, "sporos: " + message + "\n");
  EXPECT_EQ(lines_of(outcome.error), 1);
}

class BadInput : public ::testing::TestWithParam<Refusal> {};

TEST_P(BadInput, IsRefusedInOneLine) { expect_refusal(sporos(GetParam().line), GetParam().message); }

const std::string count = "expected a whole number from 1 to 9223372036854775807";
const std::string positive = "expected a positive finite number";

INSTANTIATE_TEST_SUITE_P(
    Command, BadInput,
    ::testing::Values(
        Refusal{"", "no command is given: expected simulate, list, describe, info or --help"},
        Refusal{"simulat pi", "unknown command 'simulat': did you mean 'simulate'?"},
        Refusal{"run", "unknown command 'run': expected one of simulate, list, describe, info"},
        Refusal{"list all", "unexpected 'all': expected sporos list"},
        Refusal{"describe", "something is missing: expected sporos describe MODEL"},
        Refusal{"describe mmkc", "unknown model 'mmkc': did you mean 'mmck'? (`sporos list` lists the models)"},
        Refusal{"simulate",
                "no model is given: expected sporos simulate MODEL [OPTION...]; `sporos list` lists the models"},
        Refusal{"simulate --seed 1 pi",
                "no model is given: expected sporos simulate MODEL [OPTION...]; `sporos list` lists the models"},
        Refusal{"simulate mmk", "unknown model 'mmk': did you mean 'mmck'? (`sporos list` lists the models)"},
        Refusal{"simulate queue", "unknown model 'queue': expected one of pi, mm1, mmck, random-walk, newsboy"},
        Refusal{"simulate random_walk",
                "unknown model 'random_walk': did you mean 'random-walk'? (`sporos list` lists the models)"},
        Refusal{"simulate pi pi", "unexpected 'pi': expected sporos simulate MODEL [OPTION...]"},
        Refusal{"simulate mmck --arival-rate 4", "unknown option '--arival-rate': did you mean '--arrival-rate'?"},
        Refusal{"simulate mmck --arrival_rate=4", "unknown option '--arrival_rate': did you mean '--arrival-rate'?"},
        Refusal{"simulate pi --servers 3", "unknown option '--servers': `sporos simulate pi --help` lists the options"},
        Refusal{"simulate pi -5", "unknown option '-5': `sporos simulate pi --help` lists the options"},
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
        Refusal{"simulate mmck --servers 4:6", "design point 3: capacity is 5, expected at least the 6 servers"},
        Refusal{"simulate mmck --servers 3:1",
                "--servers is '3:1', expected FIRST:LAST or FIRST:LAST:STEP with FIRST at most LAST and a positive "
                "STEP"},
        Refusal{"simulate mmck --arrival-rate 1:2:0",
                "--arrival-rate is '1:2:0', expected FIRST:LAST or FIRST:LAST:STEP with FIRST at most LAST and a "
                "positive STEP"},
        Refusal{"simulate mmck --arrival-rate 1,,2", "--arrival-rate is '', expected a number"},
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
                "--replications is given beside a precision: expected --max-replications, which says when to give it "
                "up"},
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
        Refusal{
            "simulate pi --engine mersenne",
            "unknown engine 'mersenne': expected one of philox, philox4x64, taus88, mrg32k3a, ranlux24-0, ranlux24-1, "
            "ranlux24-2, ranlux48-0, ranlux48-1, ranlux48-2"},
        Refusal{"simulate pi --sampling lucky",
                "unknown sampling 'lucky': expected one of random, antithetic, descriptive, refined-descriptive, "
                "latin-hypercube, latin-hypercube-centred, sobol, halton"},
        Refusal{"simulate pi --mapping block", "unknown mapping 'block': expected one of automatic, thread, warp"},
        Refusal{"simulate pi --common-random-numbers maybe", "--common-random-numbers is 'maybe', expected on or off"},
        Refusal{"simulate pi --format xml", "unknown format 'xml': expected one of table, json, csv"},
        Refusal{"simulate pi --replay -1", "--replay is '-1', expected a whole number from 0 to 9223372036854775806"},
        Refusal{"simulate pi --point 1", "--point is given without --replay: expected both"},
        Refusal{"simulate pi --draws 1,2 --replay 0",
                "--replay is given for 2 design points: expected --point with a number from 1 to 2"},
        Refusal{"simulate pi --draws 1,2 --replay 0 --point 3", "--point is '3', expected a whole number from 1 to 2"},
        Refusal{"simulate pi --output /nowhere/at/all", "cannot write '/nowhere/at/all': No such file or directory"},
        Refusal{"simulate pi --output /", "cannot write '/': Is a directory"},
        Refusal{"simulate pi --output /dev/null/x", "cannot write '/dev/null/x': Not a directory"},
        Refusal{"simulate pi --design /nowhere.csv", "cannot read '/nowhere.csv': No such file or directory"},
        Refusal{"simulate pi --design /", "cannot read '/': Is a directory"},
        Refusal{"simulate --plan /nowhere.json", "cannot read '/nowhere.json': No such file or directory"}));

TEST(BadThreads, AreRefused) {
  for (const std::string& program : programs()) {
    const auto outcome = run(program, words("simulate pi --threads 0"));
    EXPECT_EQ(outcome.status, 2) << program;
    EXPECT_EQ(outcome.out, "") << program;
    EXPECT_EQ(lines_of(outcome.error), 1) << outcome.error;
  }
  expect_refusal(run("sporos-serial", words("simulate pi --threads 2")),
                 "--threads is '2', expected 1: the serial backend has one thread");
}

// A file that is no design of M/M/c/k queues, and what is said of it after the file's name.
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
                "capacity, customers"},
        BadFile{"column without a name", "servers,,capacity\n3,4,5\n", ", line 1: column 2 has no name"},
        BadFile{"column twice", "servers,servers\n3,4\n", ", line 1: column 'servers' comes twice"},
        BadFile{"column twice in two spellings", "arrival_rate,arrival-rate\n3,4\n",
                ", line 1: column 'arrival-rate' comes twice"},
        BadFile{"missing field", "servers,capacity\n3,5\n4\n", ", line 3: 1 field, expected 2: servers, capacity"},
        BadFile{"field too many", "servers,capacity\n3,5,7\n", ", line 2: 3 fields, expected 2: servers, capacity"},
        BadFile{"line without a field", "servers,capacity\n\n3,5\n",
                ", line 2: 0 fields, expected 2: servers, capacity"},
        BadFile{"empty field", "servers,capacity\n3,\n", ", line 2: capacity is '', expected a whole number"},
        BadFile{"text for a number", "servers,arrival_rate\n3,4\n3,fast\n",
                ", line 3: arrival_rate is 'fast', expected a number"},
        BadFile{"number with a tail", "servers\n3 servers\n",
                ", line 2: servers is '3 servers', expected a whole number"},
        BadFile{"value out of range", "servers,capacity\n3,5\n6,5\n",
                ", line 3: capacity is 5, expected at least the 6 servers"},
        BadFile{"unfinished escape", "servers\n\"3\\x\"\n", ", line 2: unknown escape sequence"},
        BadFile{"Windows lines", "servers,capacity\r\n3,5\r\n",
                ", line 1: the line ends as on Windows (CRLF); convert the file (dos2unix, or sed -i 's/\\r$//')"},
        BadFile{"byte-order mark", "\xEF\xBB\xBFservers\n3\n",
                " begins with a byte-order mark; save it as UTF-8 without one (sed -i '1s/^\\xEF\\xBB\\xBF//')"}));

TEST(Design, AndAnOptionForTheSameParameterAreRefused) {
  const Folder folder;
  const std::string path = folder.write("design.csv", "servers\n3\n");
  expect_refusal(run("sporos", {"simulate", "mmck", "--design", path, "--servers", "2"}),
                 "--servers is given, and so is column 'servers' of " + path + ": expected one of them");
}

class BadPlan : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadPlan, IsRefusedInOneLine) {
  const Folder folder;
  const std::string path = folder.write("result.json", GetParam().contents);
  expect_refusal(run("sporos", {"simulate", "--plan", path}), path + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadPlan,
    ::testing::Values(BadFile{"no JSON", "digest 42", " is not JSON: error at byte 1"},
                      BadFile{"half a file", R"({"sporos": "0.1.0", "model)", " is not JSON: error at byte 27"},
                      BadFile{"number too large", R"({"seed": 1e999})",
                              " is not JSON that can be read: a number in it is too large"},
                      BadFile{"other JSON", "[1, 2]", " has no member 'model'"},
                      BadFile{"no plan", R"({"model": "pi"})", " has no member 'plan'"},
                      BadFile{"half a plan", R"({"model": "pi", "plan": {}})", ": plan has no member 'precision'"}));

TEST(Plan, OfAnotherModelIsRefused) {
  const Folder folder;
  const std::string path = folder / "result.json";
  ASSERT_EQ(run("sporos", {"simulate", "pi", "--replications", "2", "--format", "json", "--output", path}).status, 0);
  expect_refusal(run("sporos", {"simulate", "mmck", "--plan", path}),
                 "'" + path + "' is an experiment with the model pi, not mmck");
}

}  // namespace
}  // namespace sporos::test
