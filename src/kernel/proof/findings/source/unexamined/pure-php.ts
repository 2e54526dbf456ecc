/**
 * Functions of PHP that only compute a result from their arguments. Functions that make code, or decode texts, are left
 * out.
 */
const PURE = new Set(
  `abs acos acosh array_chunk array_column array_combine array_count_values array_diff array_diff_assoc array_diff_key array_fill array_fill_keys array_filter
array_flip array_intersect array_intersect_key array_is_list array_key_exists array_key_first array_key_last array_keys array_map array_merge array_merge_recursive
array_pad array_pop array_product array_push array_reduce array_replace array_reverse array_search array_shift array_slice array_splice array_sum array_udiff array_unique
array_unshift array_values array_walk arsort asin asinh asort atan atan2 atanh base_convert bindec boolval ceil checkdate chr chunk_split compact cos cosh count
ctype_alnum ctype_alpha ctype_digit ctype_lower ctype_punct ctype_space ctype_upper ctype_xdigit current decbin dechex decoct deg2rad end exp explode fdiv floatval floor
fmod hexdec html_entity_decode htmlentities htmlspecialchars hypot implode in_array intdiv intval is_array is_bool is_finite is_float is_infinite is_int is_iterable
is_nan is_null is_numeric is_object is_scalar is_string iterator_to_array join json_encode key krsort ksort lcfirst levenshtein log log10 log1p log2 ltrim max
mb_convert_case mb_str_pad mb_str_split mb_strlen mb_strpos mb_strrev mb_strrpos mb_strtolower mb_strtoupper mb_strwidth mb_substr mb_substr_count mb_trim min natcasesort natsort next nl2br
number_format octdec ord pi pow preg_match preg_match_all preg_quote preg_replace preg_split prev range rad2deg reset round rsort rtrim similar_text sin sinh sort
soundex sprintf sqrt str_contains str_ends_with str_pad str_repeat str_replace str_split str_starts_with str_word_count strcasecmp strcmp strip_tags stripos stristr
strlen strnatcasecmp strnatcmp strncasecmp strncmp strpbrk strpos strrev strrpos strstr strtolower strtoupper strtr strval substr substr_compare substr_count
substr_replace tan tanh trim uasort ucfirst ucwords uksort usort vsprintf wordwrap metaphone isset empty iterator_count array_any array_all array_find array_find_key`.split(
    /\s+/,
  ),
);

/** `name` is in lower case. */
export function isPureOfPhp(name: string): boolean {
  return PURE.has(name);
}

/** Those of them that call a function in their arguments. */
const CALLING = new Set(
  'array_map array_filter array_reduce array_walk array_udiff array_any array_all array_find array_find_key usort uasort uksort'.split(
    ' ',
  ),
);

export function callsGiven(name: string): boolean {
  return CALLING.has(name);
}
