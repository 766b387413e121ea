import type { Languages, ShootLanguage, WeederLanguage } from '../../../machines/kinds.ts';
import type { RetakenTurn } from '../../told/retaken.ts';
import type { Kind } from '../../wire/wire.ts';
import { AskServicePanel } from './ask-service-panel.tsx';
import { AskShootPanel } from './ask-shoot-panel.tsx';

/** What can be asked about the turn at `index` (view 6). */
export function AskPanel<Of extends Kind>({
  kind,
  turns,
  index,
}: Readonly<{ kind: Of; turns: readonly RetakenTurn<Languages[Of]>[]; index: number }>) {
  return kind === 'shoot' ? (
    <AskShootPanel turns={turns as readonly RetakenTurn<ShootLanguage>[]} index={index} />
  ) : (
    <AskServicePanel turns={turns as readonly RetakenTurn<WeederLanguage>[]} index={index} />
  );
}
