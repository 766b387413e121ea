/** `partly` is built but for what the rule itself says is missing. */
type RuleStatus = 'built' | 'partly' | 'later';

export type Rule = Readonly<{ id: string; title: string; status: RuleStatus }>;

/** What the specification says of its rules, in its order; `problems` name their line. */
export type RulesRead = Readonly<{ rules: readonly Rule[]; problems: readonly string[] }>;

const heading = /^#{2,3} (?<id>\d+(?:\.\d+)?|[SL]\d+) (?<title>.+)$/;
const tag = /<!--\s*rule\b(?<words>.*?)-->/;
const statuses: ReadonlySet<string> = new Set<RuleStatus>(['built', 'partly', 'later']);

/**
 * Reads the tags of the specification. A rule is a heading with a number (`### 4.2 Title`) and, before the next
 * heading, its tag, which says the number once more, so that a tag that was moved or copied is seen.
 * A section's own heading (`## 4 Title`) may do without.
 */
export function readRules(markdown: string): RulesRead {
  const rules: Rule[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  let open: Readonly<{ id: string; title: string; line: number; needed: boolean; tagged: boolean }> | undefined;

  const close = () => {
    if (open?.needed && !open.tagged) problems.push(`line ${open.line}: rule ${open.id} has no tag`);
    open = undefined;
  };

  for (const [index, text] of markdown.split('\n').entries()) {
    const line = index + 1;
    if (/^#{1,3} /.test(text)) close();
    const headed = heading.exec(text)?.groups;
    if (headed) {
      const { id = '', title = '' } = headed;
      if (seen.has(id)) problems.push(`line ${line}: rule ${id} stands here a second time`);
      seen.add(id);
      open = { id, title, line, needed: text.startsWith('###'), tagged: false };
    }
    const words = tag.exec(text)?.groups?.words?.trim().split(/\s+/);
    if (!words) continue;
    const [id, status, ...rest] = words;
    if (!status || !isStatus(status) || rest.length > 0)
      problems.push(`line ${line}: a tag reads "rule ID built", "partly" or "later", not "rule ${words.join(' ')}"`);
    else if (!open || open.id !== id)
      problems.push(`line ${line}: the tag of rule ${id} stands under ${open?.id ?? 'no rule'}`);
    else if (open.tagged) problems.push(`line ${line}: rule ${id} has a second tag`);
    else {
      rules.push({ id: open.id, title: open.title, status });
      open = { ...open, tagged: true };
    }
  }
  close();
  return { rules, problems };
}

function isStatus(word: string): word is RuleStatus {
  return statuses.has(word);
}
