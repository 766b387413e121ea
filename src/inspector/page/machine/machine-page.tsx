import { useEffect, useState } from 'preact/hooks';
import { pureMachines, type ShootLanguage } from '../../../machines/kinds.ts';
import { retakeTurns, type RetakenTurn } from '../../told/retaken.ts';
import type { Kind, WireTurnOf } from '../../wire/wire.ts';
import { AskPanel } from '../ask/ask-panel.tsx';
import { Chart } from '../chart/chart.tsx';
import { TurnPanel } from '../turn/turn-panel.tsx';

/** One shoot or service in time (views 3 to 6). */
export function MachinePage({ kind, subject }: Readonly<{ kind: Kind; subject: string }>) {
  const [retaken, setRetaken] = useState<readonly RetakenTurn<ShootLanguage>[]>([]);
  useEffect(() => {
    void (async () => {
      const answer = await fetch(`/${kind === 'shoot' ? 'shoots' : 'services'}/${subject}/turns`);
      const { turns } = (await answer.json()) as { turns: WireTurnOf<'shoot'>[] };
      setRetaken(retakeTurns<ShootLanguage>(pureMachines.shoot, turns));
    })();
  }, [kind, subject]);
  const index = retaken.length - 1;
  const one = retaken[index];
  if (one === undefined) return <p>Loading.</p>;
  return (
    <>
      <Chart kind="shoot" value={one.after?.value} taken={[]} />
      <TurnPanel kind="shoot" retaken={one} />
      <AskPanel turns={retaken} index={index} />
    </>
  );
}
