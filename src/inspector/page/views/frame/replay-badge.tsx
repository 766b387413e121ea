import { agreementOfFiles, agreementWords, type Agreement } from '../../client/agreement.ts';
import { told } from '../../client/inspector-client.ts';
import { shownAgreement } from '../../client/shown-agreement.ts';
import type { Told } from '../../client/told.ts';
import { useStore } from '../../client/use-store.ts';
import { wholeReplay, type WholeReplay } from '../../client/whole-replay.ts';
import { turnLink } from '../../format/links.ts';
import { Mark } from '../../format/mark.tsx';

/** Whether the machines that the page holds come to the recorded states (view 7), and the first turn where they do not. */
export function ReplayBadge() {
  const replayed = useStore(told, replayedOf);
  const shown = useStore(shownAgreement, all);
  const whole = useStore(wholeReplay, wholeOf);
  const files = replayed === null ? whole : agreementOfFiles(replayed);
  // A machine that is shown tells of itself; where it agrees, another one may not.
  const agreement = shown?.first != null || files === null ? shown : files;
  return agreement === null ? null : <AgreementLine agreement={agreement} />;
}

function AgreementLine({ agreement }: Readonly<{ agreement: Agreement }>) {
  const words = agreementWords(agreement);
  const { first, checked } = agreement;
  if (first === null)
    return (
      <span class="format-badge format-calm" title="The machines that this page holds come to the recorded states.">
        {checked > 0 && <Mark shape="check" />}
        {words}
      </span>
    );
  return (
    <a class="format-badge format-refused" href={turnLink(first)} title="The first turn that comes out otherwise here.">
      <Mark shape="cross" tone="refused" />
      {words}
    </a>
  );
}

const replayedOf = ({ about }: Told) => about?.replayed ?? null;
const wholeOf = (whole: WholeReplay | null) => whole?.agreement ?? null;
const all = <State,>(state: State) => state;
