/** The rules of docs/specification.md that something goes by. */
export function Rules({ rules }: Readonly<{ rules: readonly string[] }>) {
  if (rules.length === 0) return null;
  return (
    <span class="ask-rules">
      {rules.length === 1 ? 'rule' : 'rules'} {rules.join(', ')}
    </span>
  );
}
