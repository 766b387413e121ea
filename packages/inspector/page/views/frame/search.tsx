import { useState } from 'preact/hooks';
import { findNames, allNames } from '../../client/server-state.ts';
import type { MachineName } from '../../../wire/wire.ts';
import { serverState } from '../../client/inspector-client.ts';
import { instantLink, rangeOf, type Address } from '../../client/address.ts';
import { goTo } from '../../client/browser-address.ts';

/** As many as can be chosen from at a glance. */
const mostFound = 10;

/** A shoot or a service by its name: a field with the names that fit. From another one it leads to the same instant. */
export function Search({ address }: Readonly<{ address: Address }>) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  // Asked for when something is typed: drawn with each row that changes, the field would cost more than the seed.
  const found = text === '' ? [] : findNames(allNames(serverState.get()), text, mostFound);
  const at = Math.min(chosen, found.length - 1);

  const leave = () => {
    setText('');
    setChosen(0);
  };
  const open = ({ kind, subject }: MachineName) => {
    const at = address.view === 'machine' ? (address.turn?.at ?? null) : null;
    goTo(instantLink(kind, subject, at, rangeOf(address)));
    leave();
  };
  const heard = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      leave();
      if (event.currentTarget instanceof HTMLElement) event.currentTarget.blur();
    } else if (event.key === 'ArrowDown') setChosen(Math.min(at + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setChosen(Math.max(at - 1, 0));
    else if (event.key === 'Enter') {
      const name = found[at];
      if (name !== undefined) open(name);
    } else return;
    event.preventDefault();
  };

  return (
    <div class="frame-search">
      <input
        id="frame-search"
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        placeholder="Shoot or service  /"
        aria-label="Shoot or service by its name"
        aria-keyshortcuts="/"
        aria-expanded={text !== ''}
        aria-controls="frame-found"
        aria-autocomplete="list"
        {...(found.length > 0 ? { 'aria-activedescendant': `frame-found-${at}` } : {})}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={heard}
        onBlur={leave}
      />
      <div id="frame-found" class="frame-found" role="listbox" aria-label="Names that fit" hidden={text === ''}>
        {found.map((name, index) => (
          <div
            key={`${name.kind} ${name.subject}`}
            id={`frame-found-${index}`}
            class="cut"
            role="option"
            aria-selected={index === at}
            // The field would lose the focus, and with it the list, before the click.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => open(name)}
          >
            {name.subject} <span class="format-calm">{name.kind === 'shoot' ? 'shoot' : 'service'}</span>
          </div>
        ))}
        {found.length === 0 && (
          <div class="format-calm" role="option" aria-disabled="true" aria-selected={false}>
            No name holds this.
          </div>
        )}
      </div>
    </div>
  );
}
