import { useEffect, useState } from 'preact/hooks';
import { writeBook } from '../../told/lanes-book.ts';
import type { Instant } from '../../../domain/time.ts';
import type { Kind } from '../../wire/wire.ts';
import { loadTurns, type Loaded, type TurnLoader } from './turn-loader.ts';

/** The turns of one machine, as they are loaded and come. `at`: where a link leads to; a later link to a turn that is not among these loads them anew. */
export function useTurns<Of extends Kind>(
  kind: Of,
  subject: string,
  at: Instant | null,
  live: boolean,
): Readonly<{ loaded: Loaded<Of>; loader: TurnLoader | undefined }> {
  const [loaded, setLoaded] = useState<Loaded<Of>>(() => nothing(kind));
  const [loader, setLoader] = useState<TurnLoader | undefined>();
  useEffect(() => {
    setLoaded(nothing(kind));
    const made = loadTurns(kind, subject, at, setLoaded);
    setLoader(made);
    return made.stop;
  }, [kind, subject, at]);
  useEffect(() => {
    if (live) loader?.goLive();
  }, [loader, live]);
  return { loaded, loader };
}

function nothing<Of extends Kind>(kind: Of): Loaded<Of> {
  return { book: writeBook(kind).book(), earlier: false, later: false, doing: 'loading', problem: null };
}
