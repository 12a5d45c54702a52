import com.eventstore.dbclient.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

/** Drives a log with EventStoreDB's Java client: one line a step, the same in every language (see gateway-clients). */
class Client {
  static EventStoreDBClient client;
  static String prefix;
  static String stream;

  static Iterator<EventData> some(int count, int bytes) {
    byte[] data = ("\"" + "x".repeat(bytes) + "\"").getBytes();
    return Stream.generate(() -> EventData.builderAsJson("Tested", data).build()).limit(count).iterator();
  }

  static WriteResult append(ExpectedRevision expected, int count, int bytes) throws Exception {
    return client.appendToStream(stream, AppendToStreamOptions.get().expectedRevision(expected), some(count, bytes)).get();
  }

  static String revisions(List<ResolvedEvent> events) {
    return events.stream().map(one -> "" + one.getOriginalEvent().getRevision()).collect(Collectors.joining(","));
  }

  static String read(ReadStreamOptions options) throws Exception {
    return revisions(client.readStream(stream, options).get().getEvents());
  }

  static String refused(Callable<?> work, Class<?> known, String word) throws Exception {
    try {
      work.call();
      return "accepted";
    } catch (ExecutionException error) {
      return known.isInstance(error.getCause()) ? word : "otherwise: " + error.getCause();
    }
  }

  static void say(String step, Object what) {
    System.out.println(step + " " + what);
  }

  /** Collects what a subscription sends. */
  static class Collecting extends SubscriptionListener {
    final BlockingQueue<ResolvedEvent> events = new LinkedBlockingQueue<>();

    @Override
    public void onEvent(Subscription subscription, ResolvedEvent event) {
      events.add(event);
    }

    List<ResolvedEvent> take(int count) throws Exception {
      List<ResolvedEvent> taken = new ArrayList<>();
      while (taken.size() < count) taken.add(events.take());
      return taken;
    }
  }

  public static void main(String[] given) throws Exception {
    client = EventStoreDBClient.create(EventStoreDBConnectionString.parseOrThrow(given[0]));
    prefix = given[1];
    stream = prefix + "-1";
    ReadStreamOptions forward = ReadStreamOptions.get().forwards().fromStart();

    say("appended", append(ExpectedRevision.noStream(), 3, 1).getNextExpectedRevision().toRawLong());
    say("again", refused(() -> append(ExpectedRevision.noStream(), 1, 1), WrongExpectedVersionException.class, "conflict"));
    say("read", read(forward));
    say("back", read(ReadStreamOptions.get().backwards().fromEnd().maxCount(2)));
    String beyond = read(ReadStreamOptions.get().forwards().fromRevision(99));
    say("beyond", beyond.isEmpty() ? "none" : beyond);
    stream = prefix + "-1x";
    say("missing", refused(() -> read(forward), StreamNotFoundException.class, "not found"));
    stream = prefix + "-1";

    Collecting one = new Collecting();
    client.subscribeToStream(stream, one, SubscribeToStreamOptions.get().fromStart()).get();
    List<ResolvedEvent> seen = one.take(3);
    append(ExpectedRevision.expectedRevision(2), 1, 1);
    seen.addAll(one.take(1));
    say("subscribed", revisions(seen));
    Collecting all = new Collecting();
    SubscriptionFilter filter = SubscriptionFilter.newBuilder().withStreamNameRegularExpression("^" + prefix + "-").build();
    client.subscribeToAll(all, SubscribeToAllOptions.get().fromStart().filter(filter)).get();
    say("filtered", revisions(all.take(4)));

    StreamMetadata metadata = new StreamMetadata();
    metadata.setMaxCount(2L);
    client.setStreamMetadata(stream, AppendToStreamOptions.get().expectedRevision(ExpectedRevision.noStream()), metadata).get();
    say("kept", read(forward));
    client.deleteStream(stream, DeleteStreamOptions.get().expectedRevision(ExpectedRevision.expectedRevision(3))).get();
    say("deleted", refused(() -> read(forward), StreamNotFoundException.class, "not found"));
    append(ExpectedRevision.noStream(), 1, 1);
    say("revived", read(forward));
    say("too large", refused(() -> append(ExpectedRevision.expectedRevision(4), 1, 2_000_000), Exception.class, "refused"));
    client.tombstoneStream(stream, DeleteStreamOptions.get().expectedRevision(ExpectedRevision.expectedRevision(4))).get();
    say("tombstoned", refused(() -> append(ExpectedRevision.any(), 1, 1), StreamDeletedException.class, "deleted"));
    client.shutdown().get();
    System.exit(0);
  }
}
