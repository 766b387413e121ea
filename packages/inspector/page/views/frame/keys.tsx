import { goTo } from '../../client/browser-address.ts';
import { useKeys } from '../../client/keys.ts';

type Help = Readonly<{ where: string; keys: readonly (readonly [keys: readonly string[], does: string])[] }>;

/** All keys, by where they work. */
const help: readonly Help[] = [
  {
    where: 'Everywhere',
    keys: [
      [['/'], 'search a shoot or a service by its name'],
      [['?'], 'this help'],
      [['n'], 'what happened'],
      [['s'], 'the seed'],
      [['Esc'], 'close what is open'],
    ],
  },
  {
    where: 'What happened, and the seed',
    keys: [
      [['↑', '↓'], 'the entry before, the entry after'],
      [['Enter'], 'open it'],
      [['←', '→'], 'less of an entry, more of it'],
      [['f'], 'filter'],
    ],
  },
  {
    where: 'A shoot or a service',
    keys: [
      [['←', '→'], 'the turn before, the turn after'],
      [['Shift ←', 'Shift →'], 'the consequence before, the next consequence'],
      [['Home', 'End'], 'the first turn, the last one'],
      [['+', '-', '0'], 'nearer, further away, all turns'],
      [['o'], 'the outage, or the recovery, that the turn belongs to'],
      [['Ctrl wheel', 'drag', 'double click'], 'on the axis: nearer or further away, earlier or later, all turns'],
      [['Space'], 'play turn after turn, or stop'],
      [['↑', '↓'], 'the turn before, the turn after, in the list alone'],
    ],
  },
];

const id = 'frame-keys';

export function openKeyHelp(): void {
  const dialog = document.getElementById(id);
  if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal();
}

/** The keys, as a dialog, and those of them that work everywhere. */
export function KeyHelp() {
  useKeys({
    '?': openKeyHelp,
    n: () => goTo('#/'),
    s: () => goTo('#/seed'),
    '/': () => document.querySelector<HTMLElement>('#frame-search')?.focus(),
    f: () => document.querySelector<HTMLElement>('[data-filter]')?.focus(),
  });
  return (
    <dialog id={id} class="frame-dialog" aria-labelledby="frame-keys-title">
      <h2 id="frame-keys-title">Keys</h2>
      {help.map(({ where, keys }) => (
        <section key={where}>
          <h3>{where}</h3>
          <dl class="frame-keys">
            {keys.map(([names, does]) => (
              <div key={does}>
                <dt>
                  {names.map((name) => (
                    <kbd key={name}>{name}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}

/** Filters a view by text; the key f leads to it. */
export function TextFilter({ text, onText }: Readonly<{ text: string; onText: (text: string) => void }>) {
  return (
    <input
      data-filter
      type="search"
      placeholder="Filter by text  f"
      aria-label="Filter by text"
      aria-keyshortcuts="f"
      value={text}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
    />
  );
}
