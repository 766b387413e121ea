import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import type { ReplayedTurn } from '../../model/replayed-turn.ts';
import { firstWhere } from '../../model/timeline/lanes.ts';
import type { Kind } from '../../wire/wire.ts';
import type { MachineAddress } from '../client/address.ts';
import { Mark } from '../format/mark.tsx';
import { stateLook } from '../../model/states.ts';
import { numberText } from '../format/texts.ts';
import { useSight } from '../format/use-sight.ts';
import { Time } from '../format/time.tsx';
import { kindWords } from 'dependency-watchdog/adapters/record/words/turn-words.ts';

/** Of a row, in pixels; machine.css has it from here. */
const rowHeight = 24;

/** All turns as a list of options: the active one is the turn that is shown. Only those that are seen are drawn. */
export function TurnList<Of extends Kind>(
  props: Readonly<{
    kind: Of;
    turns: readonly ReplayedTurn<Languages[Of]>[];
    consequences: readonly boolean[];
    selected: number;
    onSelect: (index: number) => void;
    list: MachineAddress['list'];
    onList: (list: MachineAddress['list']) => void;
  }>,
) {
  const { kind, turns, consequences, selected, onSelect, list, onList } = props;
  const { text, consequences: onlyConsequences } = list;
  const indexes = useMemo(() => {
    const sought = text.trim().toLowerCase();
    return turns.flatMap(({ turn }, index) =>
      (!onlyConsequences || consequences[index] === true) &&
      (sought === '' || turnText(kind, turn).toLowerCase().includes(sought))
        ? [index]
        : [],
    );
  }, [turns, consequences, onlyConsequences, text]);
  // The turn that is shown may be filtered out: then the one before it is where one goes on from.
  const active = Math.max(0, firstWhere(indexes.length, (place) => (indexes[place] ?? Infinity) > selected) - 1);
  const isShown = indexes[active] === selected;
  const { scroller, body, first, end, height } = useSight(indexes.length, rowHeight);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const [top, { scrollTop, clientHeight }] = [active * rowHeight, box];
    const [above, below] = [scrollTop - top, top + rowHeight - scrollTop - clientHeight];
    if (above <= 0 && below <= 0) return;
    // A step scrolls by a row; what is further away comes to the middle, with what was before and after it.
    if (Math.max(above, below) > 2 * rowHeight) box.scrollTop = top - clientHeight / 2;
    else box.scrollTop += above > 0 ? -above : below;
  }, [active, indexes]);

  const go = (place: number) => {
    const index = indexes[Math.min(Math.max(place, 0), indexes.length - 1)];
    if (index !== undefined) onSelect(index);
  };
  const keys = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(height / rowHeight) - 1);
    const to: Readonly<Record<string, number>> = {
      ArrowUp: active - (isShown ? 1 : 0),
      ArrowDown: active + 1,
      PageUp: active - page,
      PageDown: active + page,
      Home: 0,
      End: indexes.length - 1,
    };
    const place = to[event.key];
    if (place === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    go(place);
  };

  return (
    <section class="machine-turns" aria-label="Turns">
      <div class="machine-filter">
        <input
          type="search"
          placeholder="Find"
          aria-label="Find in turns"
          value={text}
          onInput={({ currentTarget }) => onList({ ...list, text: currentTarget.value })}
          data-filter
        />
        <label>
          <input
            type="checkbox"
            checked={onlyConsequences}
            onChange={({ currentTarget }) => onList({ ...list, consequences: currentTarget.checked })}
          />
          consequences only
        </label>
        <span class="quiet machine-count" role="status">
          {indexes.length === turns.length ? '' : `${numberText(indexes.length)} of `}
          {numberText(turns.length)}
        </span>
      </div>
      <div
        class="machine-list"
        ref={scroller}
        role="listbox"
        aria-label="Turns, oldest first"
        tabIndex={0}
        aria-activedescendant={isShown ? `machine-turn-${selected}` : undefined}
        onKeyDown={keys}
        data-turn-keys
      >
        <div role="presentation" ref={body}>
          {indexes.slice(first, end).map((index, offset) => {
            const one = turns[index];
            if (one === undefined) return null;
            return (
              <div
                key={index}
                id={`machine-turn-${index}`}
                role="option"
                aria-selected={index === selected}
                aria-setsize={indexes.length}
                aria-posinset={first + offset + 1}
                class={`machine-turn ${consequences[index] === true ? 'machine-consequent' : ''}`}
                onClick={() => onSelect(index)}
              >
                <Time at={one.turn.at} />
                <span class="cut machine-words">{turnText(kind, one.turn)}</span>
                <Change kind={kind} from={one.turn.from} to={one.turn.to} />
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}

function Change({ kind, from, to }: Readonly<{ kind: Kind; from: string | undefined; to: string }>) {
  if (from === to) return null;
  const { word, shape, tone } = stateLook(kind, to);
  return (
    <span class={`machine-change format-${tone}`}>
      → <Mark shape={shape} tone={tone} /> {word}
    </span>
  );
}

/** To say a turn reads all its leases: a list that is filtered would say thousands of them with each letter. */
const said = new WeakMap<object, string>();

/** The event of a turn, in words. */
export function turnText<Of extends Kind>(kind: Of, { event }: ReplayedTurn<Languages[Of]>['turn']): string {
  const known = said.get(event);
  if (known !== undefined) return known;
  const words = kindWords[kind].event(event);
  said.set(event, words);
  return words;
}
