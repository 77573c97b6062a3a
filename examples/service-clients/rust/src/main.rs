//! Reads the run that RUN names, through the gateway.

use std::{env, error::Error, time::Duration};

use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{ClientTlsConfig, Endpoint};
use tonic::{Request, Status};
use tonic_types::StatusExt;

/// What `buf generate` has made.
#[allow(dead_code)]
mod platform {
    include!("../gen/mod.rs");
}

use platform::aiplatform::training::v1::{GetRunRequest, run_service_client::RunServiceClient};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let key: MetadataValue<Ascii> = format!("Bearer {}", env::var("KEY")?).parse()?;
    let channel = Endpoint::from_shared(env::var("GATEWAY")?)?
        .tls_config(ClientTlsConfig::new().with_native_roots())?
        .timeout(Duration::from_secs(30))
        .connect()
        .await?;
    let mut runs = RunServiceClient::with_interceptor(channel, move |mut request: Request<()>| {
        request.metadata_mut().insert("authorization", key.clone());
        Ok(request)
    });
    let run_id = env::var("RUN")?;
    match runs.get_run(GetRunRequest { run_id }).await {
        Ok(answer) => println!("run {}", answer.into_inner().run.unwrap_or_default().id),
        Err(error) => println!("{}", explain(&error)),
    }
    Ok(())
}

/// Code, reason, and each field that is wrong.
fn explain(error: &Status) -> String {
    let details = error.get_error_details();
    let mut parts = vec![format!("{:?}", error.code())];
    parts.extend(details.error_info().map(|info| info.reason.clone()));
    for violation in details
        .bad_request()
        .into_iter()
        .flat_map(|request| &request.field_violations)
    {
        parts.push(format!("{}: {}", violation.field, violation.description));
    }
    if parts.len() <= 2 {
        parts.push(error.message().to_owned());
    }
    parts.join(", ")
}
