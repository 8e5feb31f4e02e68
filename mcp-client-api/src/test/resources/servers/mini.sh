#!/bin/sh
# A small MCP server over stdio, for machines without Node. Its tools: env (the names and
# values of the environment), pid, and whatever TOOLS names.
tool() { printf '{"name":"%s","inputSchema":{"type":"object"}}' "$1"; }
text() { printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}\n' "$1" "$2"; }
[ -n "$BANNER" ] && echo "$BANNER"
[ -n "$GRANDCHILD" ] && { sleep 1000 & }
# that many of them, which care neither for the end of their input nor for SIGTERM
[ -n "$STUBBORN" ] && { trap '' TERM; for i in $(seq "$STUBBORN"); do sleep 1000 & done; }
while IFS= read -r line; do
  id=$(printf '%s\n' "$line" | sed -n 's/.*"id":\("[^"]*"\|[0-9][0-9]*\).*/\1/p')
  case "$line" in
    *'"method":"initialize"'*)
      printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"mini","version":"1"}}}\n' "$id" ;;
    *'"method":"tools/list"'*)
      printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[%s,%s]}}\n' "$id" "$(tool env)" "$(tool pid)" ;;
    *'"name":"env"'*) text "$id" "$(env | cut -d= -f1 | sort | tr '\n' ' ')" ;;
    *'"name":"pid"'*) text "$id" "$$" ;;
    *'"method":"notifications/'*) ;;
    *) [ -n "$id" ] && printf '{"jsonrpc":"2.0","id":%s,"result":{}}\n' "$id" ;;
  esac
done
