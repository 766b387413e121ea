import type { ComponentChildren } from 'preact';

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
