<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>BeforeAfter</name>
    <message numerus="yes">
        <source>%n more key(s) changed.</source>
        <translation>
            <numerusform>%n more key changed.</numerusform>
            <numerusform>%n more keys changed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ConflictDialog</name>
    <message numerus="yes">
        <source>%n conflict(s) wait</source>
        <translation>
            <numerusform>%n conflict waits</numerusform>
            <numerusform>%n conflicts wait</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other waiting claim(s) would be recorded as rejected.</source>
        <translation>
            <numerusform>%n other waiting claim would be recorded as rejected.</numerusform>
            <numerusform>%n other waiting claims would be recorded as rejected.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Also settle the %n other(s) with this pair of sources</source>
        <translation>
            <numerusform>Also settle the %n other with this pair of sources</numerusform>
            <numerusform>Also settle the %n others with this pair of sources</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Record %n decision(s)</source>
        <translation>
            <numerusform>Record %n decision</numerusform>
            <numerusform>Record %n decisions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ConflictsView</name>
    <message numerus="yes">
        <source>%n conflict(s) wait</source>
        <translation>
            <numerusform>%n conflict waits</numerusform>
            <numerusform>%n conflicts wait</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CountsCard</name>
    <message numerus="yes">
        <source>%n fact(s)</source>
        <translation>
            <numerusform>%n fact</numerusform>
            <numerusform>%n facts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message numerus="yes">
        <source>The program has %n fault(s) that you ran into</source>
        <translation>
            <numerusform>The program has %n fault that you ran into</numerusform>
            <numerusform>The program has %n faults that you ran into</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EpisodeListModel</name>
    <message numerus="yes">
        <source>%n fact(s)</source>
        <translation>
            <numerusform>%n fact</numerusform>
            <numerusform>%n facts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EpisodePane</name>
    <message numerus="yes">
        <source>%n fact(s) born from it</source>
        <translation>
            <numerusform>%n fact born from it</numerusform>
            <numerusform>%n facts born from it</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EpisodeSummary</name>
    <message numerus="yes">
        <source>%n fact(s) born from it</source>
        <translation>
            <numerusform>%n fact born from it</numerusform>
            <numerusform>%n facts born from it</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FactPage</name>
    <message numerus="yes">
        <source>Show %n more source(s)</source>
        <translation>
            <numerusform>Show %n more source</numerusform>
            <numerusform>Show %n more sources</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show %n older version(s)</source>
        <translation>
            <numerusform>Show %n older version</numerusform>
            <numerusform>Show %n older versions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Why: %n source(s)</source>
        <translation>
            <numerusform>Why: %n source</numerusform>
            <numerusform>Why: %n sources</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FactsPresenter</name>
    <message numerus="yes">
        <source>{count} fact(s)</source>
        <translation>
            <numerusform>{count} fact</numerusform>
            <numerusform>{count} facts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} interval(s)</source>
        <translation>
            <numerusform>{count} interval</numerusform>
            <numerusform>{count} intervals</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FirstWrong</name>
    <message numerus="yes">
        <source>and %n more of this kind</source>
        <translation>
            <numerusform>and %n more of this kind</numerusform>
            <numerusform>and %n more of this kind</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>JournalModel</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LaneHeaders</name>
    <message numerus="yes">
        <source>%n open conflict(s)</source>
        <translation>
            <numerusform>%n open conflict</numerusform>
            <numerusform>%n open conflicts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message numerus="yes">
        <source>%n conflict(s)</source>
        <translation>
            <numerusform>%n conflict</numerusform>
            <numerusform>%n conflicts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NavigatorPresenter</name>
    <message numerus="yes">
        <source>{count} fact(s)</source>
        <translation>
            <numerusform>{count} fact</numerusform>
            <numerusform>{count} facts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} lane(s)</source>
        <translation>
            <numerusform>{count} lane</numerusform>
            <numerusform>{count} lanes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} open conflict(s)</source>
        <translation>
            <numerusform>{count} open conflict</numerusform>
            <numerusform>{count} open conflicts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OthersList</name>
    <message numerus="yes">
        <source>For %n more conflict(s) with this pair of sources would follow:</source>
        <translation>
            <numerusform>For %n more conflict with this pair of sources would follow:</numerusform>
            <numerusform>For %n more conflicts with this pair of sources would follow:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PropertiesDialog</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RelativeTime</name>
    <message numerus="yes">
        <source>%n day(s) ago</source>
        <translation>
            <numerusform>%n day ago</numerusform>
            <numerusform>%n days ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour(s) ago</source>
        <translation>
            <numerusform>%n hour ago</numerusform>
            <numerusform>%n hours ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s) ago</source>
        <translation>
            <numerusform>%n minute ago</numerusform>
            <numerusform>%n minutes ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n month(s) ago</source>
        <translation>
            <numerusform>%n month ago</numerusform>
            <numerusform>%n months ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n year(s) ago</source>
        <translation>
            <numerusform>%n year ago</numerusform>
            <numerusform>%n years ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %n day(s)</source>
        <translation>
            <numerusform>in %n day</numerusform>
            <numerusform>in %n days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %n hour(s)</source>
        <translation>
            <numerusform>in %n hour</numerusform>
            <numerusform>in %n hours</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %n minute(s)</source>
        <translation>
            <numerusform>in %n minute</numerusform>
            <numerusform>in %n minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %n month(s)</source>
        <translation>
            <numerusform>in %n month</numerusform>
            <numerusform>in %n months</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %n year(s)</source>
        <translation>
            <numerusform>in %n year</numerusform>
            <numerusform>in %n years</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReportWords</name>
    <message numerus="yes">
        <source>%n conflict(s) wait for a decision.</source>
        <translation>
            <numerusform>%n conflict waits for a decision.</numerusform>
            <numerusform>%n conflicts wait for a decision.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) cannot be read, so nothing was written.</source>
        <translation>
            <numerusform>%n row cannot be read, so nothing was written.</numerusform>
            <numerusform>%n rows cannot be read, so nothing was written.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) were left out.</source>
        <translation>
            <numerusform>%n row was left out.</numerusform>
            <numerusform>%n rows were left out.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SnapshotBanner</name>
    <message numerus="yes">
        <source>%n open conflict(s) of it stand in the report only; what is disputed is not marked.</source>
        <translation>
            <numerusform>%n open conflict of it stands in the report only; what is disputed is not marked.</numerusform>
            <numerusform>%n open conflicts of it stand in the report only; what is disputed is not marked.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StatusStrip</name>
    <message numerus="yes">
        <source>%n conflict(s)</source>
        <translation>
            <numerusform>%n conflict</numerusform>
            <numerusform>%n conflicts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n fact(s)</source>
        <translation>
            <numerusform>%n fact</numerusform>
            <numerusform>%n facts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n newer transaction(s)</source>
        <translation>
            <numerusform>%n newer transaction</numerusform>
            <numerusform>%n newer transactions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SubjectPage</name>
    <message numerus="yes">
        <source>%n fact(s) in force</source>
        <translation>
            <numerusform>%n fact in force</numerusform>
            <numerusform>%n facts in force</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stretch(es)</source>
        <translation>
            <numerusform>%n stretch</numerusform>
            <numerusform>%n stretches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>More than %n fact(s) in force</source>
        <translation>
            <numerusform>More than %n fact in force</numerusform>
            <numerusform>More than %n facts in force</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>VerifyDialog</name>
    <message numerus="yes">
        <source>It is how the record of the open store began; %n transaction(s) came after.</source>
        <translation>
            <numerusform>It is how the record of the open store began; %n transaction came after.</numerusform>
            <numerusform>It is how the record of the open store began; %n transactions came after.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The open store ends %n transaction(s) before the snapshot.</source>
        <translation>
            <numerusform>The open store ends %n transaction before the snapshot.</numerusform>
            <numerusform>The open store ends %n transactions before the snapshot.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>What it says differs from the open store in %n fact(s).</source>
        <translation>
            <numerusform>What it says differs from the open store in %n fact.</numerusform>
            <numerusform>What it says differs from the open store in %n facts.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_Content</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_Delegate</name>
    <message numerus="yes">
        <source>%n fact(s)</source>
        <translation>
            <numerusform>%n fact</numerusform>
            <numerusform>%n facts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_Listing</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_Result</name>
    <message numerus="yes">
        <source>The store is damaged: %n finding(s). Keep the file as it is, and go on with a copy or a backup.</source>
        <translation>
            <numerusform>The store is damaged: %n finding. Keep the file as it is, and go on with a copy or a backup.</numerusform>
            <numerusform>The store is damaged: %n findings. Keep the file as it is, and go on with a copy or a backup.</numerusform>
        </translation>
    </message>
</context>
</TS>
