import { secretsDirectory } from "@aiplatform/cluster-installer";
import { describe, expect, it } from "vitest";
import { nameOf, type RenderedOverlay, renderOverlays, type ServiceName, serviceNames } from "./rendered-overlays.ts";
import { configOf, declarations, environmentOf } from "./service-settings.ts";

const overlays = await renderOverlays();
const cases = overlays.flatMap((rendered) =>
  serviceNames.map((service): [string, ServiceName, RenderedOverlay] => [rendered.overlay, service, rendered]),
);

/** The file that holds a secret setting. */
const fileOf = (name: string) => `${secretsDirectory}${name.toLowerCase().replaceAll("_", "-")}`;

describe.each(cases)("overlay %s, the settings of %s", (_, service, rendered) => {
  const { settings } = declarations[service];
  const environment = environmentOf(rendered, service);

  it("are those that the service declares", () => {
    const known = (name: string) => name in settings || settings[name.replace(/_FILE$/, "")]?.secret === true;
    expect(Object.keys(environment).filter((name) => !known(name))).toEqual([]);
  });

  it("suffice, and are read without a mistake", async () => {
    await expect(configOf(rendered, service)).resolves.toMatchObject({ ADMIN_PORT: 9_090 });
  });

  it("hold no secret, but the files that hold them", () => {
    const secrets = Object.entries(settings).filter(([, { secret }]) => secret);
    expect(secrets.filter(([name]) => name in environment)).toEqual([]);
    const files = Object.entries(environment).filter(([, value]) => value.startsWith(secretsDirectory));
    expect(files).toEqual(files.map(([name]) => [name, fileOf(name.replace(/_FILE$/, ""))]));
  });

  it("name the ports that the pods show", async () => {
    const config = await configOf(rendered, service);
    const listened = [
      ["grpc", config["GRPC_PORT"]],
      ["http", config["HTTP_PORT"]],
      ["admin", config["ADMIN_PORT"]],
      ["files", config["SERVING_DRIVER"] === "kubernetes" ? config["SERVING_FILES_PORT"] : undefined],
    ].filter(([, port]) => port !== undefined);
    const container = rendered.all("Deployment").find((each) => nameOf(each) === service)?.spec?.template.spec
      ?.containers[0];
    expect(container?.ports?.map(({ name, containerPort }) => [name, containerPort])).toEqual(listened);
  });
});

describe.each(overlays)("overlay $overlay, the image of instances", (rendered) => {
  it("comes from where those of the services come from, in the same version", () => {
    const image = rendered.all("Deployment").find((each) => nameOf(each) === "deployments")?.spec?.template.spec
      ?.containers[0]?.image;
    expect(environmentOf(rendered, "deployments")["SERVING_IMAGE"]).toBe(
      image?.replace("deployments", "serving-runtime"),
    );
  });
});

describe.each(overlays)("overlay $overlay, the gateway before its proxies are named", (rendered) => {
  it("believes no source address that a client writes", async () => {
    expect(await configOf(rendered, "gateway")).toMatchObject({ TRUSTED_PROXIES: [] });
  });
});
