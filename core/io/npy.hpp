// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

/// Matrices of doubles in NumPy's NPY format, version 1.0 (NumPy Enhancement Proposal 1; numpy/lib/format.py): a header
/// with the shape, then the numbers in little-endian order.
namespace sporos::io {

/// First bytes of every NPY file.
inline constexpr std::string_view npy_mark = "\x93NUMPY";

/// Returns the header of a matrix of doubles in row-major order, byte for byte as NumPy writes it. Its size is a
/// multiple of 64 bytes and at least `min_size`.
inline std::string npy_header(std::int64_t rows, std::int64_t columns, std::size_t min_size = 0) {
  constexpr std::size_t alignment = 64, preamble = 10;  // mark, version, length
  std::string header = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
  const std::size_t used = std::max(preamble + header.size() + 1, min_size);
  header.resize((used + alignment - 1) / alignment * alignment - preamble - 1, ' ');
  header += '\n';
  const auto length = header.size();
  return std::string(npy_mark) + '\x01' + '\0' + static_cast<char>(length & 0xff) + static_cast<char>(length >> 8) +
         header;
}

/// Appends numbers to the bytes of a file.
inline void append_npy_numbers(std::string& bytes, std::span<const double> numbers) {
  if constexpr (std::endian::native == std::endian::little) {
    bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  } else {
    for (const double number : numbers) {
      const auto bits = std::bit_cast<std::uint64_t>(number);
      for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(bits >> shift & 0xff);
    }
  }
}

/// Matrix in the contents of an NPY file, which must outlive it.
struct NpyMatrix {
  std::int64_t rows;         ///< at least 1
  std::int64_t columns;      ///< at least 1
  bool is_column_major;      ///< whether the order is column-major ("Fortran order")
  std::string_view numbers;  ///< bytes of the numbers, eight for each

  /// Returns the number in `row` and `column`, which count from 0.
  double operator()(std::int64_t row, std::int64_t column) const {
    const auto place = static_cast<std::size_t>(is_column_major ? column * rows + row : row * columns + column);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      bits |= std::uint64_t{static_cast<unsigned char>(numbers[8 * place + i])} << 8 * i;
    }
    return std::bit_cast<double>(bits);
  }
};

namespace impl {

[[noreturn]] inline void refuse_npy(const std::string& path, const std::string& why) {
  throw std::invalid_argument(path + " " + why);
}

inline std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \n");
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(" \n") - first + 1);
}

// Returns the text of `key`'s value in the header, a Python dictionary without nested dictionaries. A value in brackets
// ends at the closing bracket, any other value at a comma or the end.
inline std::string_view npy_value(const std::string& path, std::string_view header, std::string_view key) {
  const std::string name = fmt::format("'{}':", key);
  const auto place = header.find(name);
  if (place == std::string_view::npos) refuse_npy(path, fmt::format("is not an NPY file: its header has no '{}'", key));
  std::string_view value = without_blanks(header.substr(place + name.size()));
  const bool is_tuple = value.starts_with('(') || value.starts_with('[');
  const auto end = is_tuple ? value.find_first_of(")]") : value.find_first_of(",}");
  if (end == std::string_view::npos) refuse_npy(path, fmt::format("is not an NPY file: its header ends in '{}'", key));
  return without_blanks(value.substr(0, is_tuple ? end + 1 : end));
}

inline void set_npy_shape(const std::string& path, std::string_view shape, NpyMatrix& matrix) {
  const auto refuse = [&] {
    refuse_npy(path, fmt::format("holds an array of shape {}, expected a matrix (rows, columns)", in_quotes(shape)));
  };
  const auto comma = shape.find(',');
  if (!shape.starts_with('(') || !shape.ends_with(')') || comma == std::string_view::npos) refuse();
  const auto count = [&](std::string_view text) {
    try {
      return parse_number<std::int64_t>("", without_blanks(text), 1);
    } catch (const std::invalid_argument&) {
      refuse();
    }
    return std::int64_t{0};
  };
  matrix.rows = count(shape.substr(1, comma - 1));
  matrix.columns = count(shape.substr(comma + 1, shape.size() - comma - 2));
}

// Removes the header from `bytes` and returns it. Its length comes first, in two or four bytes depending on the
// version.
inline std::string_view take_npy_header(const std::string& path, std::string_view& bytes) {
  constexpr std::size_t version_end = 8;
  if (!bytes.starts_with(npy_mark)) refuse_npy(path, "is not an NPY file");
  if (bytes.size() <= version_end) refuse_npy(path, "is cut off in its header");
  const int version = bytes[npy_mark.size()];
  if (version < 1 || version > 3) refuse_npy(path, fmt::format("has NPY version {}, expected 1 to 3", version));
  const std::size_t width = version == 1 ? 2 : 4;
  std::size_t length = 0;
  bytes.remove_prefix(version_end);
  for (std::size_t i = 0; i < width && i < bytes.size(); ++i) {
    length |= std::size_t{static_cast<unsigned char>(bytes[i])} << 8 * i;
  }
  if (bytes.size() < width + length) refuse_npy(path, "is cut off in its header");
  const std::string_view header = bytes.substr(width, length);
  bytes.remove_prefix(width + length);
  return header;
}

}  // namespace impl

/// Returns the matrix of doubles in `bytes`, the contents of the NPY file `path`, in row-major or column-major order
/// and of any NPY version so far. Throws std::invalid_argument, naming the file, for another format, another type of
/// number than '<f8', an array that is empty or not two-dimensional, or fewer or more bytes than the shape requires.
inline NpyMatrix parse_npy(const std::string& path, std::string_view bytes) {
  const std::string_view header = impl::take_npy_header(path, bytes);
  const std::string_view type = impl::npy_value(path, header, "descr");
  if (type != "'<f8'" && type != "\"<f8\"") {
    impl::refuse_npy(path, fmt::format("holds numbers of type {}, expected '<f8' (numpy.float64)", in_quotes(type)));
  }
  const std::string_view order = impl::npy_value(path, header, "fortran_order");
  if (order != "True" && order != "False") {
    impl::refuse_npy(path, fmt::format("is not an NPY file: its fortran_order is {}", in_quotes(order)));
  }
  NpyMatrix matrix{0, 0, order == "True", bytes};
  impl::set_npy_shape(path, impl::npy_value(path, header, "shape"), matrix);
  const auto numbers = static_cast<std::int64_t>(bytes.size() / 8);
  const bool is_whole =
      bytes.size() % 8 == 0 && numbers % matrix.columns == 0 && numbers / matrix.columns == matrix.rows;
  if (!is_whole) {
    impl::refuse_npy(path, fmt::format("has {} bytes after its header, expected 8 for each of {} x {} numbers",
                                       bytes.size(), matrix.rows, matrix.columns));
  }
  return matrix;
}

}  // namespace sporos::io
