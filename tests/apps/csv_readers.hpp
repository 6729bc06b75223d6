// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "process.hpp"

#include <ostream>
#include <string>
#include <utility>
#include <vector>

/// All arguments that name a CSV file, each with a command line and valid files.
namespace sporos::test {

/// An argument that names a CSV file, and a command line with it. Words that begin with '@' are files in the folder.
struct CsvReader {
  std::string words, argument;   ///< first words of the commands that have the argument, and the argument
  std::string file, line;        ///< file that the argument names, and a command line
  bool tells_on_stderr = false;  ///< notes go to standard error, because standard output is data of a single format
};

/// Shows a reader by its command and argument in GoogleTest's output.
inline void PrintTo(const CsvReader& reader, std::ostream* stream) {
  *stream << reader.words << " " << reader.argument;
}

/// One reader for each argument that names a CSV file.
inline const std::vector<CsvReader> csv_readers = {
    {"simulate", "--design", "design", "simulate mmck --customers 20 --replications 64 --design @design"},
    {"replay", "--design", "design", "replay mmck --customers 20 --replication 0 --point 1 --design @design"},
    {"select", "--design", "design", "select mmck --customers 20 --smallest 'mean wait' --delta 1 --design @design"},
    {"simulate newsboy", "--demand", "demand", "simulate newsboy --quantity 2 --replications 64 --demand @demand"},
    {"simulate pert", "--network", "network", "simulate pert --replications 64 --network @network"},
    {"optimize", "--start", "start", "optimize portfolio --returns @returns --epochs 1 --start @start"},
    {"optimize portfolio", "--returns", "returns", "optimize portfolio --returns @returns --epochs 1"},
    {"optimize portfolio", "--prices", "prices", "optimize portfolio --prices @prices --epochs 1"},
    {"optimize portfolio", "--parameters", "parameters", "optimize portfolio --parameters @parameters --epochs 1"},
    {"optimize portfolio", "--covariance", "covariance", "optimize portfolio --covariance @covariance --epochs 1"},
    {"optimize portfolio", "--bounds", "bounds", "optimize portfolio --returns @returns --epochs 1 --bounds @bounds"},
    {"optimize newsvendor", "--products", "products", "optimize newsvendor --products @products"},
    {"optimize newsvendor", "--resources", "resources",
     "optimize newsvendor --products @products --resources @resources --amounts @amounts --epochs 1 --gap-batches 0"},
    {"optimize newsvendor", "--amounts", "amounts",
     "optimize newsvendor --products @products --resources @resources --amounts @amounts --epochs 1 --gap-batches 0"},
    {"optimize newsvendor", "--demands", "demands",
     "optimize newsvendor --demands @demands --cost 1 --price 3 --salvage 0.2"},
    {"optimize classification", "DATA", "data.csv", "optimize classification @data.csv"},
    {"optimize classification", "--data", "data.csv", "optimize classification --data @data.csv"},
    {"predict", "DATA", "data.csv", "predict @model @data.csv", true},
    {"fit", "DATA", "returns", "fit @returns --column A --components 1"},
    {"sample", "--extend", "points", "sample sobol --dimensions 2 --points 2 --extend @points", true}};

/// Names and contents of valid CSV files.
inline const std::vector<std::pair<std::string, std::string>> plain_csv_files = {
    {"design", "servers,arrival_rate\n1,0.5\n2,1.5\n"},
    {"demand", "demand,probability\n1,0.25\n2,0.5\n4,0.25\n"},
    {"network", "activity,from,to,distribution\na,1,2,uniform(1 2.5)\nb,2,3,constant(1)\n"},
    {"start", "asset,weight\nA,0.75\nB,0.25\n"},
    {"returns", "A,B\n0.011,0.02\n-0.03,0.014\n0.02,-0.01\n0.012,0.021\n-0.013,0.001\n0.004,0.006\n"},
    {"prices", "A,B\n100.5,20.25\n101.5,20.5\n99.75,20.125\n102.5,21\n101.25,20.75\n"},
    {"parameters", "asset,mean,deviation,f\nA,0.25,1.5,0.5\nB,0.5,2.5,0.125\n"},
    {"covariance", "asset,mean,A,B\nA,0.25,2.5,0.5\nB,0.5,0.5,1.5\n"},
    {"bounds", "asset,low,high\nA,0.125,0.5\n"},
    {"products",
     "product,cost,holding,price,demand\nrye,1.1,0.1,3.2,normal(120 25)\nroll,0.15,0,0.55,normal(600 90)\n"},
    {"resources", "resource,capacity\noven,300.5\n"},
    {"amounts", "product,oven\nrye,1.4\nroll,0.25\n"},
    {"demands", "rye,roll\n1.5,2\n2,3.5\n4,1\n"},
    {"data.csv", "x,class\n0.5,no\n1.5,yes\n-0.25,no\n2.5,yes\n1.25,no\n0.75,yes\n"}};

/// Writes the files that the command lines use into a folder.
inline void write_csv_files(const Folder& folder) {
  for (const auto& [name, text] : plain_csv_files) folder.write(name, text);
  folder.write("points", run(first_program, words("sample sobol --dimensions 2 --points 2")).out);
  run(first_program, words("optimize classification " + (folder / "data.csv") + " --model " + (folder / "model")));
}

/// Words of a command line, with the paths of the files in place of the words that begin with '@'.
inline std::vector<std::string> arguments_in(const Folder& folder, const std::string& line) {
  std::vector<std::string> arguments;
  for (const auto& word : quoted_words(line)) {
    arguments.push_back(word.starts_with('@') ? folder / word.substr(1) : word);
  }
  return arguments;
}

}  // namespace sporos::test
