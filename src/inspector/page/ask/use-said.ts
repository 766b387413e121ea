import { useCallback, useRef, useState } from 'preact/hooks';

/** What a screen reader is told: each answer but the first one, which nobody asked for. It must be shown where it stays from question to question. */
export function useSaid(): readonly [said: string, answered: (answer: string) => void] {
  const [said, say] = useState('');
  const known = useRef<string | undefined>(undefined);
  const answered = useCallback((answer: string) => {
    if (known.current !== undefined && known.current !== answer) say(answer);
    known.current = answer;
  }, []);
  return [said, answered];
}
