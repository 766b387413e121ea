import { useEffect, useRef, useState } from 'preact/hooks';
import { nightWords } from '../../model/imagined/night-answer.ts';
import { recordedInTime, type OutageBeside } from '../../model/imagined/outage-beside.ts';
import type { ImaginedConfig } from '../../model/questions/what-if-changes.ts';
import { configKeys, readForm } from '../../model/questions/what-if-form.ts';
import { nightLink, turnLink, type NightFilter } from '../client/address.ts';
import { renewAddress } from '../client/browser-address.ts';
import { serverState } from '../client/inspector-client.ts';
import { NoAnswer } from '../client/no-answer.ts';
import { useStore } from '../client/store.ts';
import { TableHead } from '../format/controls.tsx';
import { countText, numberText } from '../format/texts.ts';
import { Time } from '../format/time.tsx';
import { playNight, type NightPlayed } from './play-night.ts';
import { TextField } from './what-if-fields.tsx';

/** More rows would be scrolled past; the sentence counts all of them. */
const mostRows = 200;

/** What another configuration would have made of all that is recorded. What is imagined stands in the address, and is played when that is opened. */
export function NightWhatIf({ filter }: Readonly<{ filter: NightFilter }>) {
  const { whatIf } = filter;
  const form = whatIf ?? {};
  const asks = JSON.stringify(whatIf);
  // What is typed here waits for its button; what a link asks is played at once, and its answer comes into sight.
  const typed = useRef('');
  const linked = useRef(false);
  const place = useRef<HTMLDetailsElement>(null);
  const renew = (next: NightFilter['whatIf']) => {
    const text = JSON.stringify(next);
    if (text !== asks) typed.current = text;
    renewAddress(nightLink({ ...filter, whatIf: next }));
  };
  const isRead = useStore(serverState, ({ begun, about }) => begun.rows && about !== null && about.reading === null);
  const [played, setPlayed] = useState<NightPlayed | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const asked = useRef(0);

  const stop = () => void (asked.current += 1);
  function ask(config: Readonly<Partial<ImaginedConfig>>): void {
    asked.current += 1;
    const own = asked.current;
    setProblem(null);
    setPlayed(null);
    const isOver = () => asked.current !== own;
    playNight(shootsInOrder(), config, (now) => !isOver() && setPlayed(now), isOver).catch((error: unknown) => {
      const because = error instanceof NoAnswer ? error.message : String(error);
      if (!isOver()) setProblem(`The turns could not be loaded: ${because}.`);
    });
  }

  const read = readForm(form);
  const config = read.ok ? read.changes.config : undefined;
  // No answer stands below a question that it does not answer.
  useEffect(() => {
    setPlayed(null);
    linked.current = whatIf !== null && asks !== typed.current;
    if (linked.current) place.current?.scrollIntoView();
    if (linked.current && isRead && config !== undefined) ask(config);
    return stop;
  }, [asks, isRead]);
  const isOver = played?.over === true;
  useEffect(() => {
    if (!isOver) return;
    // All of it, or where there is no room for that, and of what was typed, the answer.
    if (linked.current) place.current?.scrollIntoView();
    place.current?.querySelector('[role=status]')?.scrollIntoView({ block: 'nearest' });
  }, [isOver]);
  const setting = {
    form,
    set: (field: string, text: string) => renew({ ...form, [field]: text }),
    refused: new Set(read.ok ? [] : read.refused.map(({ field }) => field)),
  };
  return (
    <details
      class="night-what-if"
      ref={place}
      open={whatIf !== null}
      onToggle={({ currentTarget: { open } }) => renew(open ? form : null)}
    >
      <summary>What if, for the whole night?</summary>
      <form
        class="ask-fields"
        aria-label="What is imagined otherwise for all shoots"
        onSubmit={(event) => {
          event.preventDefault();
          if (config !== undefined) ask(config);
        }}
      >
        {configKeys.map((key) => (
          <TextField {...setting} key={key} field={key} label={key} asItWas="as it was" />
        ))}
        <div class="flow ask-quick">
          <button type="submit" disabled={config === undefined}>
            Play the night
          </button>
          <button type="button" disabled={played === null || played.over} onClick={stop}>
            Stop
          </button>
        </div>
      </form>
      {!read.ok && <p class="ask-refused">{read.refused.map(({ sentence }) => sentence).join(' ')}</p>}
      {problem !== null && <p class="ask-refused">{problem}</p>}
      {played !== null && <NightAnswered {...played} />}
    </details>
  );
}

/** Those that were cut off come first: where the work has an end, they are in. */
function shootsInOrder(): readonly string[] {
  const { shoots, episodes } = serverState.get();
  const hit = [...episodes.values()].filter(({ kind }) => kind === 'outage').map(({ subject }) => subject);
  return [...new Set([...hit, ...shoots.keys()])];
}

function NightAnswered({ answer, played, of, leftOut, cut, over }: NightPlayed) {
  const { outages, unsaid } = answer;
  const about = useStore(serverState, ({ about }) => about);
  return (
    <div class="night-answered">
      <p class="ask-answer" role="status">
        {over ? '' : `${numberText(played)} of ${countText(of, 'shoot')} played so far: `}
        {nightWords(answer)}.
      </p>
      {outages.length > 0 && (
        <table>
          <TableHead columns={['Shoot', 'Cut off', 'As recorded', 'What if: not real']} />
          <tbody>
            {outages.slice(-mostRows).map((one) => (
              <OutageRow key={`${one.shoot} ${one.beganAt}`} one={one} />
            ))}
          </tbody>
        </table>
      )}
      {outages.length > mostRows && (
        <p class="quiet">{numberText(outages.length - mostRows)} older ones are not shown.</p>
      )}
      {[...unsaid].map(([because, shoots]) => (
        <p key={because} class="quiet">
          Of {countText(shoots.length, 'shoot')} nothing is said: {because}
        </p>
      ))}
      {leftOut.length > 0 && (
        <p class="quiet">
          {countText(leftOut.length, 'shoot')} not played, after {numberText(answer.steps)} steps.
          {about?.live === false && ' replay --what-if plays ten times as many.'}
        </p>
      )}
      {cut.length > 0 && <p class="quiet">Of {countText(cut.length, 'shoot')} only the youngest turns were played.</p>}
    </div>
  );
}

function OutageRow({ one }: Readonly<{ one: OutageBeside }>) {
  const { shoot, beganAt, did, sentence, tooLate } = one;
  return (
    <tr>
      <th scope="row">{did === null ? shoot : <a href={turnLink(did.turn)}>{shoot}</a>}</th>
      <td>
        <Time at={beganAt} day />
      </td>
      <td>
        {did === null || did.decidedAt === null ? (
          'not scaled down'
        ) : (
          <>
            scaled down <Time at={did.decidedAt} />
            {recordedInTime(did)}
          </>
        )}
      </td>
      <td class={tooLate ? 'night-too-late' : ''}>{sentence}</td>
    </tr>
  );
}
