import type { Question } from '../../contracts/session/question.ts';

/** The options of a question for people, numbered from 1. */
export function optionLines({ options }: Question): readonly string[] {
  return options.map((option, index) => `${index + 1}. ${option}`);
}

/** The answer for the model: the number of an option is followed by its text. */
export function answerWords(question: Question | null, answer: string): string {
  const option = /^\d{1,2}$/.test(answer.trim()) ? question?.options[Number(answer) - 1] : undefined;
  return option === undefined ? answer : `${answer.trim()}. ${option}`;
}
