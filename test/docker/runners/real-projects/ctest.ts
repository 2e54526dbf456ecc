import type { RealProject } from './real-project.ts';

const LISTS = `cmake_minimum_required(VERSION 3.14)
project(roman CXX)
enable_testing()
find_package(GTest REQUIRED)
include(GoogleTest)
add_library(roman src/roman.cpp)
target_include_directories(roman PUBLIC include)
add_executable(roman_test tests/roman_test.cpp)
target_link_libraries(roman_test roman GTest::gtest_main)
gtest_discover_tests(roman_test)
`;

export const ctestProject: RealProject = {
  runner: 'ctest',
  name: 'numbers in Roman letters: nine is written as one before ten',
  files: () => ({
    '.gitignore': 'build/\n',
    'CMakeLists.txt': LISTS,
    'include/roman.h': '#pragma once\n#include <string>\n\nstd::string roman(int number);\n',
    'src/roman.cpp': `#include "roman.h"

#include <utility>
#include <vector>

std::string roman(int number) {
  const std::vector<std::pair<int, std::string>> letters = {
      {1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
      {40, "XL"},  {10, "X"},   {5, "V"},   {4, "IV"},   {1, "I"},
  };
  std::string written;
  for (const auto &[value, letter] : letters) {
    while (number >= value) {
      written += letter;
      number -= value;
    }
  }
  return written;
}
`,
    'tests/roman_test.cpp': `#include "roman.h"

#include <gtest/gtest.h>

TEST(Roman, WritesTens) {
  EXPECT_EQ(roman(20), "XX");
  EXPECT_EQ(roman(40), "XL");
}
`,
  }),
  test: {
    path: 'tests/roman_test.cpp',
    content: `#include "roman.h"

#include <gtest/gtest.h>

TEST(Roman, WritesTens) {
  EXPECT_EQ(roman(20), "XX");
  EXPECT_EQ(roman(40), "XL");
}

TEST(Roman, WritesNine) {
  EXPECT_EQ(roman(9), "IX");
  EXPECT_EQ(roman(19), "XIX");
}
`,
  },
  fix: {
    path: 'src/roman.cpp',
    old_string: '{10, "X"},   {5, "V"}',
    new_string: '{10, "X"},   {9, "IX"},  {5, "V"}',
  },
  cases: ['Roman > WritesNine'],
  forHuman: [],
};
