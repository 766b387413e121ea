import type { Completed, CompletedCommand } from './completed-commands.ts';

/** For bash 3.2 and later, without the package bash-completion. What may be a file is left to bash itself. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ name, flags }) =>
    flags
      .filter(({ value }) => value !== 'nothing')
      .map(({ names, value }) => `    ${names.map((one) => `${name}:${one}`).join(' | ')}) ${reply(value)} return ;;`),
  );
  const words = commands.map(({ name, flags, operand }) => {
    const own = typeof operand === 'object' ? operand : [];
    return `    ${name}) ${reply([...own, ...flags.flatMap(({ names }) => names)])} ;;`;
  });
  return [
    '# bash completion of dependency-watchdog; to load it: source <(dependency-watchdog completion bash)',
    '_dependency_watchdog() {',
    '  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}',
    '  COMPREPLY=()',
    '  # To bash, the = of --flag=value is a word of its own.',
    '  if [[ $word == "=" ]]; then word=; elif [[ $before == "=" ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi',
    '  if ((COMP_CWORD == 1)); then',
    `    ${reply(commands.map(({ name }) => name))}`,
    '    return',
    '  fi',
    '  case "${COMP_WORDS[1]}:$before" in',
    ...values,
    '  esac',
    '  case "${COMP_WORDS[1]}" in',
    ...words,
    '  esac',
    '}',
    'complete -o bashdefault -o default -F _dependency_watchdog dependency-watchdog',
  ].join('\n');
}

function reply(value: Completed): string {
  return typeof value === 'object' ? `COMPREPLY=($(compgen -W '${value.join(' ')}' -- "$word"));` : ':;';
}
