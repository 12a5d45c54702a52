#!/bin/sh
# Runs a command for as long as standard input stays open: a server started by a test or a person never outlives it,
# not even when that process is killed. The end of input asks the command to stop; ten seconds later it is ended.
exec 3<&0
"$@" 3<&- </dev/null &
server=$!
{
  cat
  kill -TERM $server
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    sleep 1
    kill -0 $server || exit
  done
  kill -KILL $server
} <&3 >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait $server
code=$?
kill $watcher 2>/dev/null
exit $code
