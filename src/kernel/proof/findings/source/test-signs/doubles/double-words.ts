const PART = String.raw`(?:Mock|Fake|Stub|Double|Spy|Dummy)`;
/** Parts of names: `FakeStore`, `store_mock`, `fakeStore`, `MOCKS`; but not `Mockup` or `stubborn`. */
const WORDS = [
  new RegExp(String.raw`${PART}(?:s|ed)?(?![a-z])`),
  new RegExp(String.raw`(?<![A-Za-z])${PART.toLowerCase()}(?:s|ed)?(?![a-z])`),
  new RegExp(String.raw`(?<![A-Za-z])${PART.toUpperCase()}S?(?![A-Za-z])`),
];
/** Mock libraries, anonymous classes, and test modules. */
const OF_TESTS =
  /Mockito|Mockery|Prophecy|PHPUnit|RSpec|Mocha::|[Ss]inon|@anonymous|(?:^|[_.:\\/])(?:tests?|conftest)(?:[_.:\\/$]|$)|Test\$/;
const NUMBER = /^(?:[\w.]+[._])?(?:c_)?double$/i;

/** Pure: returns whether a text contains the name of a test double. */
export function namesDouble(value: string): boolean {
  // `[Ff]ake` in a pattern counts as `Fake`.
  const plain = value.replaceAll(/\[(\w)\w*\]/g, '$1');
  return OF_TESTS.test(plain) || WORDS.some((word) => word.test(plain));
}

export function isNumberType(value: string): boolean {
  return NUMBER.test(value);
}
