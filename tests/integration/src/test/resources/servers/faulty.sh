#!/bin/sh
# A small MCP server over stdio that fails as it is told: by its tools, and by files in the folder $DIR.
answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$1" "$2"; }
text() { answer "$1" "{\"content\":[{\"type\":\"text\",\"text\":\"$2\"}]}"; }
tool() {
  case "$1" in
    nested) patterned "$1" '(?:(?:){2147483647}){2147483647}' ;;
    optional) patterned "$1" "(?:$(seq 2000 | sed 's/.*/a?/' | tr -d '\n'))*b" ;;
    lookahead) patterned "$1" '^(?=(a+)+$)(a+)+b$' ;;
    *) printf '{"name":"%s","inputSchema":{"type":"object"}}' "$1" ;;
  esac
}
patterned() {
  printf '{"name":"%s","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"value":{"type":"string","pattern":"%s"}}}}' "$1" "$2"
}
is() { [ -e "$DIR/$1" ]; }

tools() {
  if is tools; then names=$(cat "$DIR/tools"); else names="hang huge endless noise ids storm exit flood mute deaf fork"; fi
  tool echo
  printf ',{"name":"read","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}'
  for name in $names; do printf ','; tool "$name"; done
  if is alternating; then printf ','; tool "page-$((page % 2))"; fi
  is many && seq "$(cat "$DIR/many")" | sed 's/.*/,{"name":"tool-&","inputSchema":{"type":"object"}}/' | tr -d '\n'
}

# the client's end of the streams stays open
stay() { while :; do sleep 0.1; done; }

echo $$ > "$DIR/pid"
echo >> "$DIR/starts"
is down && { echo "told to be down" >&2; exit 3; }
is silent && stay
stubborn=
is stubborn && { stubborn=yes; trap '' TERM; }
page=0
while IFS= read -r line; do
  id=${line#*\"id\":}; id=${id%%[,\}]*}
  message=
  case "$line" in *'"message":"'*) message=${line#*\"message\":\"}; message=${message%%\"*} ;; esac
  case "$line" in
    *'"method":"initialize"'*)
      answer "$id" '{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"faulty","version":"1"}}' ;;
    *'"method":"tools/list"'*)
      echo >> "$DIR/listings"
      page=$((page + 1))
      if is endless-listing; then answer "$id" "{\"tools\":[$(tool "tool-$page")],\"nextCursor\":\"$page\"}"
      else
        is announcing && echo '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
        answer "$id" "{\"tools\":[$(tools)]}"
      fi ;;
    *'"method":"tools/call"'*'"name":"hang"'*) echo >> "$DIR/hangs" ;;
    *'"method":"tools/call"'*'"name":"huge"'*)
      printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"' "$id"
      head -c 100000000 /dev/zero | tr '\0' x
      printf '"}]}}\n' ;;
    *'"method":"tools/call"'*'"name":"endless"'*)
      printf '{"jsonrpc":"2.0","id":%s,"result":"' "$id"
      tr '\0' x < /dev/zero ;;
    *'"method":"tools/call"'*'"name":"noise"'*)
      printf 'Listening on port 3000\n{"level":30,"msg":"ready"}\n{nonsense\n\000\001\377\376\n[]\n'
      text "$id" noise ;;
    *'"method":"tools/call"'*'"name":"ids"'*)
      text '"unknown"' wrong
      text null wrong
      text "$id" ids
      text "$id" wrong ;;
    *'"method":"tools/call"'*'"name":"storm"'*)
      yes '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}' | head -n "${message:-10000}"
      text "$id" storm ;;
    *'"method":"tools/call"'*'"name":"exit"'*) echo "told to exit" >&2; exit 7 ;;
    *'"method":"tools/call"'*'"name":"flood"'*)
      head -c 5000000 /dev/zero | tr '\0' x >&2
      text "$id" flood ;;
    *'"method":"tools/call"'*'"name":"mute"'*) exec 2>&-; text "$id" mute ;;
    *'"method":"tools/call"'*'"name":"deaf"'*) text "$id" deaf; stay ;;
    *'"method":"tools/call"'*'"name":"fork"'*) sleep 1000 & text "$id" fork ;;
    *'"method":"tools/call"'*'"name":"nested"'* | *'"method":"tools/call"'*'"name":"optional"'* | *'"method":"tools/call"'*'"name":"lookahead"'*)
      answer "$id" "{\"content\":[],\"structuredContent\":{\"value\":\"$(head -c 2000 /dev/zero | tr '\0' a)\"}}" ;;
    *'"method":"tools/call"'*) text "$id" "echo $message" ;;
    *'"method":"notifications/'*) ;;
    *) [ "$id" != "$line" ] && answer "$id" '{}' ;;
  esac
done
[ -n "$stubborn" ] && stay
