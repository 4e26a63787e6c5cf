import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Starts AWS's DynamoDB Local on this machine's own address. By itself, it listens on all network interfaces. */
public class DynamodbLocal {
  public static void main(String[] args) throws Exception {
    var local = ServerRunner.createServerFromCommandLineArgs(args);
    var field = local.getClass().getDeclaredField("server");
    field.setAccessible(true);
    var connector = (ServerConnector) ((Server) field.get(local)).getConnectors()[0];
    connector.setHost("127.0.0.1");
    connector.setPort(0);
    local.start();
    System.out.println("DynamoDB Local listens on http://127.0.0.1:" + connector.getLocalPort());
    local.join();
  }
}
