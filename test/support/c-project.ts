/** A library in C whose tests are programs without a framework. */
const LISTS = `cmake_minimum_required(VERSION 3.14)
project(shop C)
enable_testing()
file(GLOB SOURCES src/*.c)
add_library(shop \${SOURCES})
target_include_directories(shop PUBLIC include)
file(GLOB TESTS tests/*.c)
foreach(test \${TESTS})
  get_filename_component(name \${test} NAME_WE)
  add_executable(\${name} \${test})
  target_link_libraries(\${name} shop)
  add_test(NAME \${name} COMMAND \${name})
endforeach()
`;
export const C_PROJECT = {
  'CMakeLists.txt': LISTS,
  'include/shop.h':
    '#ifndef SHOP_H\n#define SHOP_H\n\nint add(int a, int b);\nint mul(int a, int b);\nint largest(int a, int b);\n\n#endif\n',
  'src/add.c': '#include "shop.h"\n\nint add(int a, int b) { return a + b; }\n',
  'tests/add_test.c':
    '#include "shop.h"\n\n#include <assert.h>\n\nint main(void) {\n  assert(add(1, 2) == 3);\n  return 0;\n}\n',
};

/** A library in C++ with GoogleTest, in place of the one in C: headers, and a test program for each file of tests. */
export const GTEST_PROJECT = {
  'CMakeLists.txt': `cmake_minimum_required(VERSION 3.14)
project(shop CXX C)
set(CMAKE_CXX_STANDARD 17)
enable_testing()
find_package(GTest REQUIRED)
include(GoogleTest)
file(GLOB TESTS tests/*.cpp)
foreach(test \${TESTS})
  get_filename_component(name \${test} NAME_WE)
  add_executable(\${name} \${test})
  target_include_directories(\${name} PRIVATE include)
  target_link_libraries(\${name} GTest::gtest_main)
  gtest_discover_tests(\${name})
endforeach()
`,
  'include/add.h': '#pragma once\n\ninline int add(int a, int b) { return a + b; }\n',
  'tests/sum_test.cpp':
    '#include "add.h"\n\n#include <gtest/gtest.h>\n\nTEST(Add, OfTwo) { EXPECT_EQ(add(1, 2), 3); }\n',
};
