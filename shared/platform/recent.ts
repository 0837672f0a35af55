/**
 * Remembers the last answers of a slow function.
 * @param most answers that are kept, each as long as it is one of the last that were asked for
 * @returns runs the function unless the key's answer is remembered; one that failed is run again
 */
export function createRecent<Answer>(most: number) {
  const answers = new Map<string, Promise<Answer>>();
  return (key: string, run: () => Promise<Answer>): Promise<Answer> => {
    const answer = answers.get(key) ?? run();
    // The last one of the map is the one that was asked for last.
    answers.delete(key);
    answers.set(key, answer);
    answer.catch(() => answers.delete(key));
    const [oldest] = answers.keys();
    if (answers.size > most && oldest !== undefined) answers.delete(oldest);
    return answer;
  };
}
