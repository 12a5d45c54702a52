import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.core.message.Encoding;
import io.cloudevents.http.HttpMessageFactory;
import io.cloudevents.jackson.JsonFormat;
import io.cloudevents.kafka.CloudEventSerializer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.kafka.support.DefaultKafkaHeaderMapper;
import org.springframework.messaging.MessageHeaders;
import org.springframework.util.MimeType;

/** Sends two events with the SDK for Java and with Spring's header mapper: over HTTP and to Kafka, in each mode. */
public class Producer {
    static String topic, key;
    static KafkaProducer<byte[], byte[]> producer;
    static final URI source = URI.create("/sdk/source");

    public static void main(String[] args) throws Exception {
        String url = args[0], brokers = args[1];
        topic = args[2];
        key = args[3];
        byte[] data = args[4].getBytes(StandardCharsets.UTF_8);
        CloudEvent whole = CloudEventBuilder.v1().withId("whole").withSource(source).withType("content.recorded").withSubject("box 12 é")
            .withTime(OffsetDateTime.parse("2026-01-31T12:00:00.5+01:00")).withExtension("correlationid", "c-1")
            .withData("application/json", data).build();
        CloudEvent bare = CloudEventBuilder.v1().withId("bare").withSource(source).withType("content.recorded").withData(data).build();
        Map<String, Object> settings = Map.of("bootstrap.servers", brokers, "key.serializer", ByteArraySerializer.class, "value.serializer", ByteArraySerializer.class);
        producer = new KafkaProducer<>(settings);
        for (CloudEvent event : List.of(whole, bare)) {
            sdk(event, Encoding.BINARY);
            sdk(event, Encoding.STRUCTURED);
        }
        for (boolean encodesStrings : new boolean[] {false, true}) spring(data, encodesStrings);
        producer.flush();
        post(url, whole, true);
        post(url, whole, false);
        post(url, bare, true);
        postWithoutType(url, bare);
    }

    static void sdk(CloudEvent event, Encoding encoding) throws Exception {
        Map<String, Object> settings = new HashMap<>();
        settings.put(CloudEventSerializer.ENCODING_CONFIG, encoding);
        if (encoding == Encoding.STRUCTURED) settings.put(CloudEventSerializer.EVENT_FORMAT_CONFIG, JsonFormat.CONTENT_TYPE);
        CloudEventSerializer serializer = new CloudEventSerializer();
        serializer.configure(settings, false);
        RecordHeaders headers = new RecordHeaders();
        send(headers, serializer.serialize(topic, headers, event));
    }

    /** The source is a `URI`, as Spring Cloud has it; the subject is a header without a value. */
    static void spring(byte[] data, boolean encodesStrings) throws Exception {
        DefaultKafkaHeaderMapper mapper = new DefaultKafkaHeaderMapper();
        mapper.setEncodeStrings(encodesStrings);
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("ce_specversion", "1.0");
        attributes.put("ce_id", "bare");
        attributes.put("ce_source", source);
        attributes.put("ce_type", "content.recorded");
        attributes.put("ce_time", OffsetDateTime.parse("2026-01-31T12:00:00.5+01:00"));
        if (encodesStrings) attributes.put("content-type", MimeType.valueOf("application/json;charset=UTF-8"));
        RecordHeaders headers = new RecordHeaders();
        mapper.fromHeaders(new MessageHeaders(attributes), headers);
        headers.add(new RecordHeader("ce_subject", null));
        send(headers, data);
    }

    static void send(RecordHeaders headers, byte[] value) throws Exception {
        producer.send(new ProducerRecord<>(topic, 0, key.getBytes(StandardCharsets.UTF_8), value, headers)).get();
    }

    static void post(String url, CloudEvent event, boolean isBinary) throws Exception {
        HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        var writer = HttpMessageFactory.createWriter(connection::setRequestProperty, body -> write(connection, body));
        if (isBinary) writer.writeBinary(event);
        else writer.writeStructured(event, JsonFormat.CONTENT_TYPE);
        System.out.println(connection.getResponseCode());
    }

    static void write(HttpURLConnection connection, byte[] body) {
        try (var out = connection.getOutputStream()) {
            out.write(body);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    /** Unlike HttpURLConnection, this client names no type of its own: it would be that of a form. */
    static void postWithoutType(String url, CloudEvent event) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
        HttpMessageFactory.createWriter(request::header, body -> request.POST(HttpRequest.BodyPublishers.ofByteArray(body))).writeBinary(event);
        System.out.println(HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString()).statusCode());
    }
}
