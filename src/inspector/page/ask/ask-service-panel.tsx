import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import { podNames, whyNotDeleted } from '../../told/why-not-deleted.ts';
import { whyNoWindow, type WeederTurnTaken } from '../../told/why-not-window.ts';
import { useSaid } from './use-said.ts';
import { WhyNotObstacles } from './why-not-obstacles.tsx';
import { WhyNotParts } from './why-not-parts.tsx';

type Asked = Readonly<{ turns: readonly WeederTurnTaken[]; index: number; answered: (answer: string) => void }>;

/** Why not, of the turn at `index` of a service (view 6). */
export function AskServicePanel({ turns, index }: Omit<Asked, 'answered'>) {
  const [said, answered] = useSaid();
  const [asked, setAsked] = useState<'pod' | 'window'>('pod');
  return (
    <section class="ask" aria-labelledby="ask-heading">
      <header class="ask-header">
        <h2 id="ask-heading">Ask about this turn</h2>
        <div class="ask-questions" role="group" aria-label="Question">
          <button type="button" aria-pressed={asked === 'pod'} onClick={() => setAsked('pod')}>
            Why was this pod not deleted?
          </button>
          <button type="button" aria-pressed={asked === 'window'} onClick={() => setAsked('window')}>
            Why is no window open?
          </button>
        </div>
      </header>
      <p class="unseen" role="status">
        {said}
      </p>
      {asked === 'pod' ? (
        <PodAnswer turns={turns} index={index} answered={answered} />
      ) : (
        <WindowAnswer turns={turns} index={index} answered={answered} />
      )}
    </section>
  );
}

function PodAnswer({ turns, index, answered }: Asked) {
  const [name, setName] = useState('');
  const list = useId();
  const names = useMemo(() => podNames(turns, index), [turns, index]);
  const { answer, obstacles, parts } = useMemo(() => whyNotDeleted(turns, index, name.trim()), [turns, index, name]);
  useEffect(() => answered(answer), [answer, answered]);
  return (
    <>
      <label class="ask-pod">
        <span>Pod</span>
        <input
          type="text"
          autoComplete="off"
          list={list}
          placeholder="all that are known"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <datalist id={list}>
        {names.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <WhyNotObstacles answer={answer} obstacles={obstacles} />
      <WhyNotParts parts={parts} noun="Pod" heading="Each pod, the last one first" />
    </>
  );
}

function WindowAnswer({ turns, index, answered }: Asked) {
  const { answer, obstacles } = useMemo(() => whyNoWindow(turns, index), [turns, index]);
  useEffect(() => answered(answer), [answer, answered]);
  return (
    <>
      <WhyNotObstacles answer={answer} obstacles={obstacles} />
    </>
  );
}
