/**
 * What each shell has to be told to complete `codeplan`: a function that asks `codeplan complete` with the words so
 * far, and leaves paths to the shell where that says nothing. A name that ends in `/` or `:` goes on, so no space
 * follows it.
 */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/**
 * Readline parts words at colons too, and replaces only what stands behind the last one. `read` without `-r` takes a
 * blank behind a backslash for a part of the word; `%q` puts the backslash back.
 */
const BASH = `_codeplan() {
  local line=\${COMP_LINE:0:COMP_POINT} words word begun i IFS=$' \\t\\n'
  read -a words <<<"$line"
  [[ $line == *[[:space:]] && $line != *\\\\[[:space:]] ]] && words+=("")
  word=\${words[\${#words[@]}-1]}
  begun=\${word%"\${word##*[:=]}"}
  IFS=$'\\n'
  COMPREPLY=($(codeplan complete -- "\${words[@]:1}" 2>/dev/null))
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *[:/] ]] && compopt -o nospace 2>/dev/null
  COMPREPLY=("\${COMPREPLY[@]#"$begun"}")
  for i in "\${!COMPREPLY[@]}"; do printf -v "COMPREPLY[i]" %q "\${COMPREPLY[i]}"; done
}
complete -o default -F _codeplan codeplan
`;

const ZSH = `#compdef codeplan
_codeplan() {
  local -a found open
  found=("\${(@f)$(codeplan complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  found=(\${found:#})
  if (( \${#found} == 0 )); then
    _files
    return
  fi
  open=(\${(M)found:#*[:/]})
  found=(\${found:#*[:/]})
  compadd -- $found
  compadd -S '' -- $open
}
if [[ $funcstack[1] == _codeplan ]]; then
  _codeplan "$@"
else
  compdef _codeplan codeplan
fi
`;

const FISH = `function __codeplan_complete
    set -l words (commandline -opc)[2..-1]
    set -l begun (commandline -ct | string unescape)
    set -l found (codeplan complete -- $words "$begun" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path "$begun"
    end
end
complete -c codeplan -f -a '(__codeplan_complete)'
`;

export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
