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
