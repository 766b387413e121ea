import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { after } from '../browser-clock.ts';

/** One of a few, as buttons. `words` of each, in their order. */
export function Switch<Choice extends string>(
  props: Readonly<{
    label: string;
    words: Readonly<Record<Choice, string>>;
    chosen: Choice;
    choose: (choice: Choice) => void;
    look?: string;
  }>,
) {
  const { label, words, chosen, choose, look = 'frame-switch' } = props;
  return (
    <div class={look} role="group" aria-label={label}>
      {(Object.keys(words) as Choice[]).map((one) => (
        <button key={one} type="button" aria-pressed={one === chosen} onClick={() => choose(one)}>
          {words[one]}
        </button>
      ))}
    </div>
  );
}

/** Any of some, as buttons; none chosen is all of them. */
export function Choices<Choice extends string>(
  props: Readonly<{
    label: string;
    choices: readonly Readonly<{ choice: Choice; shown: ComponentChildren }>[];
    chosen: readonly string[];
    choose: (chosen: Choice[]) => void;
  }>,
) {
  const { label, choices, chosen, choose } = props;
  const toggled = (one: Choice) =>
    (chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]) as Choice[];
  return (
    <div class="flow frame-choices" role="group" aria-label={label}>
      {choices.map(({ choice, shown }) => (
        <button
          key={choice}
          type="button"
          aria-pressed={chosen.includes(choice)}
          onClick={() => choose(toggled(choice))}
        >
          {shown}
        </button>
      ))}
    </div>
  );
}

/** The names of a table's columns. Those of `numbers` stand on the right, as their values do. */
export function TableHead({
  columns,
  numbers = [],
}: Readonly<{ columns: readonly string[]; numbers?: readonly string[] }>) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col" class={numbers.includes(column) ? 'number' : ''}>
            {column}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** For so long the button says what came of it. */
const saidFor = 2_000;

/** Copies `text` to the clipboard. `what` completes "Copy …", for a screen reader. */
export function CopyButton(props: Readonly<{ text: string | (() => string); what: string; label?: string }>) {
  const { text, what, label = 'Copy' } = props;
  const [said, setSaid] = useState<'copied' | 'not copied' | undefined>();
  useEffect(() => (said === undefined ? undefined : after(saidFor, () => setSaid(undefined))), [said]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      setSaid('copied');
    } catch {
      // A page that is not on this machine's own address may not write there; then the text can still be selected by hand.
      setSaid('not copied');
    }
  };
  return (
    <button type="button" class="format-copy" onClick={() => void copy()} aria-label={`${label} ${what}`}>
      {label}
      <span class="format-copied" role="status">
        {said}
      </span>
    </button>
  );
}
