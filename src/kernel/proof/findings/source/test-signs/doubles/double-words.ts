const PART = String.raw`(?:Mock|Fake|Stub|Double|Spy|Dummy)`;
/** A part of a name: `FakeStore`, `store_mock`, `fakeStore`, `MOCKS`; not `Mockup` and not `stubborn`. */
const WORDS = [
  new RegExp(String.raw`${PART}(?:s|ed)?(?![a-z])`),
  new RegExp(String.raw`(?<![A-Za-z])${PART.toLowerCase()}(?:s|ed)?(?![a-z])`),
  new RegExp(String.raw`(?<![A-Za-z])${PART.toUpperCase()}S?(?![A-Za-z])`),
];
/** Libraries, classes without a name, and modules of tests. */
const OF_TESTS =
  /Mockito|Mockery|Prophecy|PHPUnit|RSpec|Mocha::|[Ss]inon|@anonymous|(?:^|[_.:\\/])(?:tests?|conftest)(?:[_.:\\/$]|$)|Test\$/;
/** A type of numbers. */
const NUMBER = /^(?:[\w.]+[._])?(?:c_)?double$/i;

/** Pure: whether a text names a test double, as a type would. */
export function namesDouble(value: string): boolean {
  // `[Ff]ake` of a pattern.
  const plain = value.replaceAll(/\[(\w)\w*\]/g, '$1');
  return OF_TESTS.test(plain) || WORDS.some((word) => word.test(plain));
}

export function isNumberType(value: string): boolean {
  return NUMBER.test(value);
}
