// Drives a log with EventStoreDB's Go client: one line a step, the same in every language (see gateway-clients).
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
)

var ctx = context.Background()
var prefix = os.Args[2]
var stream = prefix + "-1"

func must[A any](answer A, err error) A {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return answer
}

func some(count int, data []byte) []esdb.EventData {
	events := make([]esdb.EventData, count)
	for n := range events {
		events[n] = esdb.EventData{EventType: "Tested", ContentType: esdb.ContentTypeJson, Data: data}
	}
	return events
}

func refused(err error, code esdb.ErrorCode, word string) string {
	var known *esdb.Error
	if errors.As(err, &known) && known.Code() == code {
		return word
	}
	return fmt.Sprint("otherwise: ", err)
}

func revisions(numbers []uint64) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", ",")
}

func read(client *esdb.Client, options esdb.ReadStreamOptions, count uint64) (string, error) {
	events, err := client.ReadStream(ctx, stream, options, count)
	if err != nil {
		return "", err
	}
	defer events.Close()
	var numbers []uint64
	for {
		event, err := events.Recv()
		if errors.Is(err, io.EOF) {
			return revisions(numbers), nil
		}
		if err != nil {
			return "", err
		}
		numbers = append(numbers, event.OriginalEvent().EventNumber)
	}
}

func take(subscription *esdb.Subscription, count int) []uint64 {
	var numbers []uint64
	for len(numbers) < count {
		event := subscription.Recv()
		if event.SubscriptionDropped != nil {
			must(0, event.SubscriptionDropped.Error)
		}
		if event.EventAppeared != nil {
			numbers = append(numbers, event.EventAppeared.OriginalEvent().EventNumber)
		}
	}
	return numbers
}

func main() {
	settings := must(esdb.ParseConnectionString(os.Args[1]))
	settings.Logger = esdb.NoopLogging()
	client := must(esdb.NewClient(settings))
	small := []byte("{}")
	write := func(expected esdb.ExpectedRevision, events []esdb.EventData) (*esdb.WriteResult, error) {
		return client.AppendToStream(ctx, stream, esdb.AppendToStreamOptions{ExpectedRevision: expected}, events...)
	}
	first := esdb.ReadStreamOptions{From: esdb.Start{}}

	fmt.Println("appended", must(write(esdb.NoStream{}, some(3, small))).NextExpectedVersion)
	_, err := write(esdb.NoStream{}, some(1, small))
	fmt.Println("again", refused(err, esdb.ErrorCodeWrongExpectedVersion, "conflict"))
	fmt.Println("read", must(read(client, first, 100)))
	fmt.Println("back", must(read(client, esdb.ReadStreamOptions{Direction: esdb.Backwards, From: esdb.End{}}, 2)))
	beyond := must(read(client, esdb.ReadStreamOptions{From: esdb.Revision(99)}, 100))
	fmt.Println("beyond", beyond+map[bool]string{true: "none"}[beyond == ""])
	stream += "x"
	_, err = read(client, first, 100)
	fmt.Println("missing", refused(err, esdb.ErrorCodeResourceNotFound, "not found"))
	stream = prefix + "-1"

	one := must(client.SubscribeToStream(ctx, stream, esdb.SubscribeToStreamOptions{From: esdb.Start{}}))
	seen := take(one, 3)
	must(write(esdb.Revision(2), some(1, small)))
	fmt.Println("subscribed", revisions(append(seen, take(one, 1)...)))
	one.Close()
	filter := &esdb.SubscriptionFilter{Type: esdb.StreamFilterType, Regex: "^" + prefix + "-"}
	all := must(client.SubscribeToAll(ctx, esdb.SubscribeToAllOptions{From: esdb.Start{}, Filter: filter}))
	fmt.Println("filtered", revisions(take(all, 4)))
	all.Close()

	metadata := esdb.StreamMetadata{}
	metadata.SetMaxCount(2)
	must(client.SetStreamMetadata(ctx, stream, esdb.AppendToStreamOptions{ExpectedRevision: esdb.NoStream{}}, metadata))
	fmt.Println("kept", must(read(client, first, 100)))
	must(client.DeleteStream(ctx, stream, esdb.DeleteStreamOptions{ExpectedRevision: esdb.Revision(3)}))
	_, err = read(client, first, 100)
	fmt.Println("deleted", refused(err, esdb.ErrorCodeResourceNotFound, "not found"))
	must(write(esdb.NoStream{}, some(1, small)))
	fmt.Println("revived", must(read(client, first, 100)))
	_, err = write(esdb.Revision(4), some(1, bytes.Repeat([]byte("1"), 2_000_000)))
	fmt.Println("too large", map[bool]string{true: "refused", false: "accepted"}[err != nil])
	must(client.TombstoneStream(ctx, stream, esdb.TombstoneStreamOptions{ExpectedRevision: esdb.Revision(4)}))
	_, err = write(esdb.Any{}, some(1, small))
	fmt.Println("tombstoned", refused(err, esdb.ErrorCodeStreamDeleted, "deleted"))
	client.Close()
}
