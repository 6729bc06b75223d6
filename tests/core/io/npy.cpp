// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the NPY format against bytes that NumPy 2.4.6 wrote.
#include <sporos/core/io/npy.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace sporos::io {
namespace npy_tests {

// numpy.save(file, numpy.array([[1.5, -2.0], [0.1, 3.0], [5e-324, numpy.inf]]))
std::string saved_by_numpy() {
  std::string bytes("\x93NUMPY\x01\x00v\x00", 10);
  bytes += "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }" + std::string(58, ' ') + "\n";
  const unsigned char numbers[] = {0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xf8, 0x3f, 0x00, 0x00, 0x00, 0x00,
                                   0x00, 0x00, 0x00, 0xc0, 0x9a, 0x99, 0x99, 0x99, 0x99, 0x99, 0xb9, 0x3f,
                                   0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x08, 0x40, 0x01, 0x00, 0x00, 0x00,
                                   0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xf0, 0x7f};
  return bytes.append(numbers, numbers + sizeof(numbers));
}

const std::vector<double> saved_numbers{
    1.5, -2, 0.1, 3, std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::infinity()};

std::vector<double> numbers_of(const NpyMatrix& matrix) {
  std::vector<double> numbers;
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    for (std::int64_t column = 0; column < matrix.columns; ++column) numbers.push_back(matrix(row, column));
  }
  return numbers;
}

TEST(Npy, WritesWhatNumPyWrites) {
  std::string bytes = npy_header(3, 2);
  append_npy_numbers(bytes, saved_numbers);
  EXPECT_EQ(bytes, saved_by_numpy());
}

// A header has 128 bytes for every shape that fits 2^28 numbers, as numpy.lib.format.write_array_header_1_0 writes it.
TEST(Npy, HeadersFillWholeLines) {
  for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{1, 1},
                                      {268435456, 1},
                                      {1, 268435456},
                                      {std::numeric_limits<std::int64_t>::max(), 1}}) {
    const std::string header = npy_header(rows, columns);
    EXPECT_EQ(header.size(), 128u);
    EXPECT_EQ(header.substr(6, 4), std::string("\x01\x00v\x00", 4));
    EXPECT_EQ(header.back(), '\n');
  }
}

TEST(Npy, ReadsWhatNumPyWrites) {
  const std::string bytes = saved_by_numpy();
  const auto matrix = parse_npy("f", bytes);
  EXPECT_EQ(matrix.rows, 3);
  EXPECT_EQ(matrix.columns, 2);
  EXPECT_EQ(numbers_of(matrix), saved_numbers);
}

// The file with `from` replaced by `to` in its header, which keeps its length.
std::string changed(const std::string& from, const std::string& to) {
  std::string bytes = saved_by_numpy();
  bytes.replace(bytes.find(from), from.size(), to);
  const auto difference = static_cast<std::ptrdiff_t>(to.size()) - static_cast<std::ptrdiff_t>(from.size());
  const auto end = bytes.find('\n');
  if (difference > 0) bytes.erase(end - static_cast<std::size_t>(difference), static_cast<std::size_t>(difference));
  if (difference < 0) bytes.insert(end, static_cast<std::size_t>(-difference), ' ');
  return bytes;
}

TEST(Npy, ReadsColumnsOfFortranAndOtherVersions) {
  const std::string columns =
      changed("'fortran_order': False, 'shape': (3, 2)", "'fortran_order': True, 'shape': (2,3)");
  const auto matrix = parse_npy("f", columns);
  EXPECT_EQ(matrix.rows, 2);
  EXPECT_EQ(numbers_of(matrix), (std::vector<double>{saved_numbers[0], saved_numbers[2], saved_numbers[4],
                                                     saved_numbers[1], saved_numbers[3], saved_numbers[5]}));
  std::string version_2 = saved_by_numpy();
  version_2.replace(6, 4, std::string("\x02\x00v\x00\x00\x00", 6));
  EXPECT_EQ(numbers_of(parse_npy("f", version_2)), saved_numbers);
}

std::string refusal(const std::string& bytes) {
  try {
    parse_npy("f", bytes);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Npy, NamesWhatItRefuses) {
  const std::string whole = saved_by_numpy();
  EXPECT_EQ(refusal(whole), "");
  EXPECT_EQ(refusal(""), "f is not an NPY file");
  EXPECT_EQ(refusal("u1,u2\n"), "f is not an NPY file");
  EXPECT_EQ(refusal(whole.substr(0, 8)), "f is cut off in its header");
  EXPECT_EQ(refusal(whole.substr(0, 100)), "f is cut off in its header");
  EXPECT_EQ(refusal(changed("<f8", "<f4")), "f holds numbers of type ''<f4'', expected '<f8' (numpy.float64)");
  EXPECT_EQ(refusal(changed("<f8", ">f8")), "f holds numbers of type ''>f8'', expected '<f8' (numpy.float64)");
  EXPECT_EQ(refusal(changed("'descr'", "'dascr'")), "f is not an NPY file: its header has no 'descr'");
  EXPECT_EQ(refusal(changed("False", "Maybe")), "f is not an NPY file: its fortran_order is 'Maybe'");
  const std::string after = "f has 48 bytes after its header, expected 8 for each of ";
  EXPECT_EQ(refusal(changed("(3, 2)", "(3, 3)")), after + "3 x 3 numbers");
  EXPECT_EQ(refusal(changed("(3, 2)", "(2, 2)")), after + "2 x 2 numbers");
  EXPECT_EQ(refusal(changed("(3, 2)", "(4611686018427387904, 4)")), after + "4611686018427387904 x 4 numbers");
  EXPECT_EQ(refusal(whole.substr(0, 170)), "f has 42 bytes after its header, expected 8 for each of 3 x 2 numbers");
  std::string version_9 = whole;
  version_9[6] = '\x09';
  EXPECT_EQ(refusal(version_9), "f has NPY version 9, expected 1 to 3");
  for (const std::string shape : {"(6,)", "()", "(0, 2)", "(3, -2)", "(1, 3, 2)", "(3, 2", "[3, 2]", "(3, x)", "6"}) {
    EXPECT_NE(refusal(changed("(3, 2)", shape)), "") << shape;
  }
  EXPECT_EQ(refusal(changed("(3, 2)", "(6,)")), "f holds an array of shape '(6,)', expected a matrix (rows, columns)");
}

// If any byte of the header is wrong, the file is refused, or it still gives as many numbers as it has.
TEST(Npy, SurvivesEveryWrongByte) {
  const std::string whole = saved_by_numpy();
  int refused = 0;
  for (std::size_t place = 0; place < 128; ++place) {
    for (const char wrong : {'\0', '\xff', '9', ')', '\'', ' '}) {
      std::string bytes = whole;
      bytes[place] = wrong;
      try {
        EXPECT_EQ(numbers_of(parse_npy("f", bytes)).size(), 6u);
      } catch (const std::invalid_argument&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 200);
}

}  // namespace npy_tests
}  // namespace sporos::io
