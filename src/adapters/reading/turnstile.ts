/**
 * Lets at most `most` pass in one turn of the event loop, the others in later turns, first come, first served. When all
 * shoots are to be asked in the same instant, this keeps their handshakes from being one long pause, and has the first of them
 * answered while the last have not begun; side by side, all would be answered late. It waits for nobody's answer,
 * so that a shoot that hangs holds no other one up.
 */
export function turnstile(most: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let left = most;
  let turning = false;

  const turn = (): void => {
    const passing = waiting.splice(0, most);
    left = most - passing.length;
    turning = passing.length > 0;
    if (turning) setImmediate(turn);
    for (const pass of passing) pass();
  };

  return () => {
    if (!turning) {
      turning = true;
      setImmediate(turn);
    }
    if (left === 0) return new Promise((resolve) => waiting.push(resolve));
    left -= 1;
    return Promise.resolve();
  };
}
