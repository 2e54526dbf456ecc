const REACHES =
  /send|post|put|fetch|request|upload|mail|publish|emit|dispatch|track|audit|notify|write|append|save|insert|delete|remove|unlink|^rm|exec|spawn|system|open|eval|chmod|chown|kill|query|log|print/i;

/** Whether a function changes more than its object, by its name. */
export function isReaching(name: string): boolean {
  return REACHES.test(name);
}
