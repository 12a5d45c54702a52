import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** Kafka's own producer: sends numbered records to partition 0 of a topic in few batches, once with each compression that it is given. */
public class Producer {
    public static void main(String[] args) throws Exception {
        String address = args[0], topic = args[1];
        int count = Integer.parseInt(args[2]);
        for (int a = 3; a < args.length; a++) {
            Properties given = new Properties();
            given.put("bootstrap.servers", address);
            given.put("key.serializer", StringSerializer.class.getName());
            given.put("value.serializer", StringSerializer.class.getName());
            given.put("compression.type", args[a]);
            given.put("linger.ms", "200");
            given.put("batch.size", "400000");
            try (KafkaProducer<String, String> producer = new KafkaProducer<>(given)) {
                for (int i = 0; i < count; i++)
                    producer.send(new ProducerRecord<>(topic, 0, args[a] + "-" + i, (i + " as " + args[a] + ", again and again; ").repeat(20)));
                producer.flush();
            }
        }
    }
}
